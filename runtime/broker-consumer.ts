// Consumes from RabbitMQ. Messages that are not acked are delivered again after every reconnect.
import { randomUUID } from 'node:crypto'
import { type Channel, type ConsumeMessage, connect, type ChannelModel, type ConfirmChannel } from 'amqplib'
import {
  declareQueue,
  openConnection,
  type BrokerNames,
  type OnState,
  closeTimeoutMs,
  connectTimeoutMs,
  noAnswer,
  quorum,
  setupTimeoutMs,
  withChannel,
  withHeartbeat,
} from './broker-connection.ts'
import { waitAtMost, withTimeout } from './timeouts.ts'
import { backoffMs } from './retry.ts'

export type ReceivedMessage = {
  readonly body: string
  ack(): void
  /** Moves the message to the dead-letter queue, where somebody may look at it. */
  reject(): void
}

/** How long a consumer that has just connected waits for the queue of what it may reject. It does without then. */
const deadLettersWithinMs = 2_000

export type Consumer = { isConnected(): boolean; close(): Promise<void> }

/** Takes at most `prefetch` messages at a time. One that is not acked comes again, to this consumer or another. */
export async function openConsumer(
  url: string,
  names: BrokerNames,
  prefetch: number,
  onMessage: (message: ReceivedMessage) => void,
  onState: OnState,
): Promise<Consumer> {
  const consumerTag = randomUUID()
  let consumed: Channel | null = null
  const deadLetters = keepDeadLetters(url, names, onState)
  const connection = await openConnection(url, {
    state: onState,
    lost: () => (consumed = null),
    open: async (model) => {
      await declareQueue(model, names)
      await waitAtMost(deadLettersWithinMs, deadLetters.declare())
      const channel = await model.createChannel()
      await channel.prefetch(prefetch)
      const onDelivery = (message: ConsumeMessage | null) => {
        if (message !== null) return onMessage(received(channel, message))
        // The broker took the queue away (deleted, or moved to another node): begin anew, which declares it again.
        void channel.close().catch(() => {})
      }
      await channel.consume(names.queue, onDelivery, { consumerTag })
      consumed = channel
      return channel
    },
  })
  // Acks wait in the channel's buffer, which closing the connection would drop. The broker answers `cancel` after them.
  const close = async () => {
    const channel = consumed
    consumed = null
    await Promise.all([connection.close(channel?.cancel(consumerTag)), deadLetters.close()])
  }
  return { isConnected: () => consumed !== null, close }
}

const received = (channel: Channel, message: ConsumeMessage): ReceivedMessage => ({
  body: message.content.toString('utf8'),
  ack: () => ifOpen(() => channel.ack(message)),
  reject: () => ifOpen(() => channel.reject(message, false)),
})

// A channel that is closed takes no ack: the broker delivers the message again.
function ifOpen(answer: () => void): void {
  try {
    answer()
  } catch {}
}

// Keeps the queue of dead letters: messages that a consumer has rejected, for somebody to look at. It is declared over a
// connection of its own and tried again by itself, so that a broker that has lost it, or refuses it, costs nobody a
// notification.
//
// Earlier versions declared it as a classic queue, which is gone while its node is and cannot become a quorum queue. So the
// queue has a new name, and what the former one holds is moved as soon as that can be reached. An older version that runs
// beside this one declares the former queue again when it reconnects, hence the look from time to time; a message that is
// rejected meanwhile may lie in the new queue twice.

export type DeadLetters = {
  /** Resolves after an attempt, whatever has come of it. Failed ones are repeated. */
  declare(): Promise<void>
  close(): Promise<void>
}

const lengthMax = 10_000
/** Whoever looks at messages and puts them back is not to use them up. */
const deliveryLimit = 1_000_000
const lookEveryMs = 600_000
const backoff = { minMs: 1_000, maxMs: 60_000 }

export function keepDeadLetters(url: string, names: BrokerNames, onState: OnState): DeadLetters {
  let closed = false
  let failures = 0
  let attempt: Promise<void> | null = null
  let next: NodeJS.Timeout | undefined

  async function attemptOnce(): Promise<void> {
    const failed = await setUp(url, names, onState)
    failures = failed ? failures + 1 : 0
    attempt = null
    if (closed) return
    next = setTimeout(
      () => {
        void declare()
      },
      failed ? backoffMs(failures, backoff) : lookEveryMs,
    )
  }
  function declare(): Promise<void> {
    clearTimeout(next)
    attempt ??= attemptOnce()
    return attempt
  }
  async function close(): Promise<void> {
    closed = true
    clearTimeout(next)
    await waitAtMost(closeTimeoutMs, attempt ?? Promise.resolve())
  }
  return { declare, close }
}

/** Returns whether something has failed. Each step tells of itself. */
async function setUp(url: string, names: BrokerNames, onState: OnState): Promise<boolean> {
  let kept = false
  try {
    await withConnection(url, async (model) => {
      await declareDeadQueue(model, names)
      kept = true
      await moveFormer(model, names)
    })
    onState('dead letters kept')
    return false
  } catch (error) {
    onState(kept ? 'dead letters not moved' : 'dead letters not kept', error as Error)
    return true
  }
}

async function withConnection(url: string, work: (model: ChannelModel) => Promise<void>): Promise<void> {
  const connecting = connect(withHeartbeat(url), { timeout: connectTimeoutMs }).then((model) => {
    // One that nobody listens to ends the process.
    model.on('error', () => {})
    return model
  })
  try {
    await withTimeout(setupTimeoutMs, connecting.then(work), noAnswer)
  } finally {
    const closing = connecting.then((model) => model.close()).catch(() => {})
    await waitAtMost(closeTimeoutMs, closing)
  }
}

const declareDeadQueue = (model: ChannelModel, { deadExchange, deadQueue }: BrokerNames): Promise<void> =>
  withChannel(model, async (channel) => {
    await channel.assertExchange(deadExchange, 'fanout', { durable: true })
    await channel.assertQueue(deadQueue, {
      durable: true,
      maxLength: lengthMax,
      arguments: { ...quorum, 'x-delivery-limit': deliveryLimit },
    })
    await channel.bindQueue(deadQueue, deadExchange, '')
  })

/** The former queue goes once it is empty. Does nothing where there is none, or where another process is at it. */
async function moveFormer(model: ChannelModel, names: BrokerNames): Promise<void> {
  if (await isRefused(model, (channel) => channel.checkQueue(names.formerDeadQueue), /no queue/)) return
  const marker = { name: `${names.formerDeadQueue}.moving`, options: { exclusive: true, durable: false } }
  if (await isRefused(model, (channel) => channel.assertQueue(marker.name, marker.options), /RESOURCE_LOCKED/)) return
  await withChannel(model, (channel) => channel.unbindQueue(names.formerDeadQueue, names.deadExchange, ''))
  const copies = await model.createConfirmChannel()
  copies.on('error', () => {})
  await withChannel(model, (channel) => moveMessages(channel, copies, names))
}

/** A message is taken away once its copy is confirmed. */
async function moveMessages(channel: Channel, copies: ConfirmChannel, names: BrokerNames): Promise<void> {
  for (let moved = 0; moved < lengthMax; moved += 1) {
    const message = await channel.get(names.formerDeadQueue)
    if (message === false) break
    const { contentType, messageId, headers } = message.properties
    copies.sendToQueue(names.deadQueue, message.content, { persistent: true, contentType, messageId, headers })
    await copies.waitForConfirms()
    channel.ack(message)
  }
  await channel.deleteQueue(names.formerDeadQueue, { ifEmpty: true })
}

/** Whether the broker refuses this for the reason named. The code alone does not tell: a node that is away is 404, too. */
async function isRefused(
  model: ChannelModel,
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
