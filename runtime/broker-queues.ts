// The exchanges and queues of an installation in RabbitMQ. Whoever comes first declares them.
//
// A queue cannot change its type, so each type has a name of its own. Where AMQP_QUEUE_TYPE is changed, the queue of
// the new type is declared and bound first; from then on both get every message. Once no process takes from the former
// one, a dispatcher unbinds it, moves what lies there and deletes it. Processes of both settings, and of earlier
// versions, run beside each other meanwhile: a message that comes twice tells of an event that has its deliveries
// already.
import { setTimeout as pause } from 'node:timers/promises'
import type { Channel, ChannelModel, ConfirmChannel, GetMessage } from 'amqplib'
import { withChannel, type Channels } from './broker-connection.ts'
import type { BrokerNames, QueueType } from './broker-names.ts'

const queueLengthMax = 1_000_000
const deadLettersMax = 10_000
/** A message that has come so often without an ack goes to the dead letters. Classic queues do not count. */
const deliveryLimit = 100
/** Looking at dead letters and putting them back is not to use them up. */
const looksMax = 1_000_000
/** The broker's code for a queue that exists and was declared otherwise. */
const preconditionFailed = 406

/**
 * Declares the queue of notifications. One of that name that was made otherwise is replaced once it has no consumer:
 * every event that its messages tell of is in the outbox, too.
 */
export async function declareQueue(model: Channels, names: BrokerNames): Promise<void> {
  try {
    await withChannel(model, (channel) => declareOn(channel, names))
  } catch (error) {
    const { code, message } = error as Error & { code?: number }
    if (code !== preconditionFailed || !message.includes('for queue')) throw error
    const status = await statusOf(model, names.queue)
    if (status !== null && status.consumerCount > 0) throw error
    await withChannel(model, (channel) => channel.deleteQueue(names.queue))
    await withChannel(model, (channel) => declareOn(channel, names))
  }
}

async function declareOn(channel: Channel, names: BrokerNames): Promise<void> {
  await channel.assertExchange(names.exchange, 'topic', { durable: true })
  await channel.assertQueue(names.queue, queueOptions(names))
  await channel.bindQueue(names.queue, names.exchange, names.routingKey)
}

const limitOf = (type: QueueType, most: number) => (type === 'quorum' ? { 'x-delivery-limit': most } : {})

export const queueOptions = ({ type, deadExchange }: BrokerNames) => ({
  durable: true,
  deadLetterExchange: deadExchange,
  maxLength: queueLengthMax,
  arguments: { 'x-queue-type': type, 'x-overflow': 'reject-publish', ...limitOf(type, deliveryLimit) },
})

export const deadQueueOptions = ({ type }: BrokerNames) => ({
  durable: true,
  maxLength: deadLettersMax,
  arguments: { 'x-queue-type': type, ...limitOf(type, looksMax) },
})

export const declareDeadQueue = (model: Channels, names: BrokerNames): Promise<void> =>
  withChannel(model, async (channel) => {
    await channel.assertExchange(names.deadExchange, 'fanout', { durable: true })
    await channel.assertQueue(names.deadQueue, deadQueueOptions(names))
    await channel.bindQueue(names.deadQueue, names.deadExchange, '')
  })

/** How many messages are moved at one look. The next one goes on. */
const movedMax = 5_000
const batchMax = 50
const settleMs = 300

/** A queue whose place another one has taken, and how it is bound. */
type Former = Record<'queue' | 'exchange' | 'routingKey' | 'successor', string>

export const formerQueues = (names: BrokerNames): Former[] => {
  const { exchange, routingKey, queue, deadExchange, deadQueue } = names
  return [
    ...names.formerQueues.map((former) => ({ queue: former, exchange, routingKey, successor: queue })),
    ...names.formerDeadQueues.map((former) => ({
      queue: former,
      exchange: deadExchange,
      routingKey: '',
      successor: deadQueue,
    })),
  ]
}

export type Retired =
  /** There is no such queue. */
  | 'gone'
  | 'moved'
  | 'in use'
  /** Another process is at it, or there is more to move. */
  | 'unfinished'

/**
 * Moves what lies in a former queue to its successor, and deletes it. While it has consumers it is bound, so that both
 * get every message. Quorum queues cannot be deleted on a condition: a process that comes at that very moment is told
 * that its queue is gone, and declares it again.
 */
export async function retireQueue(model: ChannelModel, former: Former, marker: string): Promise<Retired> {
  const { queue, exchange, routingKey, successor } = former
  const found = await statusOf(model, queue)
  if (found === null) return 'gone'
  if (found.consumerCount > 0) {
    await withChannel(model, (channel) => channel.bindQueue(queue, exchange, routingKey))
    return 'in use'
  }
  const mark = (channel: Channel) => channel.assertQueue(marker, { exclusive: true, durable: false })
  if (await isRefused(model, mark, /RESOURCE_LOCKED/)) return 'unfinished'
  await withChannel(model, (channel) => channel.unbindQueue(queue, exchange, routingKey))
  if ((await moveMessages(model, queue, successor)) === movedMax) return 'unfinished'
  // A consumer that has just left gives back what it held.
  await pause(settleMs)
  const left = await statusOf(model, queue)
  if (left !== null && left.messageCount + left.consumerCount > 0) return 'unfinished'
  await withChannel(model, (channel) => channel.deleteQueue(queue))
  return 'moved'
}

/** Returns null where there is no such queue. */
async function statusOf(model: Channels, queue: string) {
  let status = null as { readonly messageCount: number; readonly consumerCount: number } | null
  const look = async (channel: Channel) => {
    status = await channel.checkQueue(queue)
  }
  return (await isRefused(model, look, /no queue/)) ? null : status
}

/** A message is taken away once its copy is confirmed. Returns how many were moved. */
async function moveMessages(model: ChannelModel, from: string, to: string): Promise<number> {
  let refusal = null as Error | null
  const copies = await model.createConfirmChannel()
  copies.on('error', (error: Error) => (refusal = error))
  try {
    return await withChannel(model, async (channel) => {
      let moved = 0
      while (moved < movedMax) {
        const batch = await takeUpTo(channel, from, batchMax)
        const last = batch.at(-1)
        if (last === undefined) break
        await copyAll(copies, to, batch)
        channel.ack(last, true)
        moved += batch.length
      }
      return moved
    })
  } catch (error) {
    throw refusal ?? error
  }
}

async function takeUpTo(channel: Channel, queue: string, most: number): Promise<GetMessage[]> {
  const taken: GetMessage[] = []
  while (taken.length < most) {
    const message = await channel.get(queue)
    if (message === false) break
    taken.push(message)
  }
  return taken
}

async function copyAll(copies: ConfirmChannel, to: string, messages: readonly GetMessage[]): Promise<void> {
  for (const { content, properties } of messages) {
    const { contentType, messageId, headers } = properties
    copies.sendToQueue(to, content, { persistent: true, contentType, messageId, headers })
  }
  await copies.waitForConfirms()
}

/**
 * Whether the broker refuses this for the reason named. The code alone does not tell: a node that is away is 404, too.
 */
async function isRefused(
  model: Channels,
  request: (channel: Channel) => Promise<unknown>,
  reason: RegExp,
): Promise<boolean> {
  try {
    await withChannel(model, request)
    return false
  } catch (error) {
    if (error instanceof Error && reason.test(error.message)) return true
    throw error
  }
}
