// Publishers and consumers of a test's own, at the tests' RabbitMQ or another, and what they log. All that is opened is
// closed after the test, and the queues are gone.
import { randomUUID } from 'node:crypto'
import { connect, type Channel } from 'amqplib'
import { pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { brokerAt, withChannel } from '#runtime/broker-connection.ts'
import { openConsumer, type ReceivedMessage } from '#runtime/broker-consumer.ts'
import { brokerLog, type OnState } from '#runtime/broker-log.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor, type BrokerNames, type QueueType } from '#runtime/broker-names.ts'
import { dropNamed } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'

const url = services().rabbit ?? ''

export function logged() {
  const said: string[] = []
  const states: string[] = []
  const write = (line: string): void => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    said.push(`${pino.levels.labels[level]}: ${msg}`)
  }
  const log = brokerLog(pino({ level: 'info' }, { write }))
  const onState: OnState = (state, error, queue) => {
    states.push(state)
    log(state, error, queue)
  }
  return { said, states, onState }
}
type At = { readonly at?: string; readonly confirmWithinMs?: number }
/** Acknowledges nothing, but where the test says so. */
type Taking = { at?: string; prefetch?: number; onMessage?: (message: ReceivedMessage) => void }

export function brokerParts() {
  let undo: AsyncDisposableStack
  beforeEach(() => void (undo = new AsyncDisposableStack()))
  afterEach(() => undo.disposeAsync())

  function freshNames(type?: QueueType, at = url): BrokerNames {
    const names = namesFor(`test-${randomUUID()}`, type)
    undo.defer(() => dropNamed(at, names))
    return names
  }

  /** Not connected yet. */
  async function publisherOf(names: BrokerNames, { at = url, confirmWithinMs }: At = {}) {
    const log = logged()
    const opened = await openPublisher(brokerAt(at), names, log.onState, confirmWithinMs)
    undo.defer(opened.close)
    return { ...opened, ...log }
  }

  async function publisher(...of: Parameters<typeof publisherOf>) {
    const opened = await publisherOf(...of)
    await eventually(() => opened.isConnected(), 'a connected publisher', 60_000)
    return opened
  }

  async function consumer(names: BrokerNames, { at = url, prefetch = 10, onMessage }: Taking = {}) {
    const got: ReceivedMessage[] = []
    const log = logged()
    const take = (message: ReceivedMessage): void => {
      got.push(message)
      onMessage?.(message)
    }
    const opened = await openConsumer(brokerAt(at), names, prefetch, take, log.onState)
    undo.defer(opened.close)
    await eventually(() => opened.isConnected(), 'a connected consumer', 60_000)
    const messages = (count: number) => eventually(() => got.length === count, `${count} messages`)
    return { ...opened, ...log, got, messages, bodies: () => got.map(({ body }) => body) }
  }

  async function channelAt(at: string): Promise<Channel> {
    // Small requests one after the other.
    const connection = await connect(at, { noDelay: true })
    connection.on('error', () => {})
    undo.defer(() => connection.close().catch(() => {}))
    const channel = await connection.createChannel()
    channel.on('error', () => {})
    return channel
  }

  /** Asks over one connection whether there is a queue of this name. */
  async function queuesAt(at: string): Promise<(queue: string) => Promise<boolean>> {
    const connection = await connect(at)
    connection.on('error', () => {})
    undo.defer(() => connection.close().catch(() => {}))
    const isThere = (queue: string) => withChannel(connection, (channel) => channel.checkQueue(queue))
    return (queue) =>
      isThere(queue).then(
        () => true,
        ({ message }: Error) => !message.includes('no queue'),
      )
  }

  /** Takes what lies in the queue of dead letters, once there is as much. */
  async function deadLetters(at: string, names: BrokerNames, count: number): Promise<string[]> {
    const taken: string[] = []
    const channel = await channelAt(at)
    const takeOne = async () => {
      const message = await channel.get(names.deadQueue, { noAck: true })
      if (message !== false) taken.push(message.content.toString())
      return taken.length === count
    }
    await eventually(takeOne, `${count} dead letters`, 60_000)
    return taken
  }

  const use = <T extends AsyncDisposable>(part: T): T => undo.use(part)
  const defer = (close: () => unknown): void => undo.defer(async () => void (await close()))
  return { freshNames, publisherOf, publisher, consumer, channelAt, queuesAt, deadLetters, use, defer }
}

/** The classic one of the first versions. */
export const oldestDeadQueue = ({ formerDeadQueues }: BrokerNames): string => formerDeadQueues[0] ?? ''

/** As earlier versions declared it, with messages in it. */
export async function declareFormer(channel: Channel, names: BrokerNames, messages: readonly string[]): Promise<void> {
  await channel.assertExchange(names.deadExchange, 'fanout', { durable: true })
  await channel.assertQueue(oldestDeadQueue(names), { durable: true, maxLength: 10_000 })
  await channel.bindQueue(oldestDeadQueue(names), names.deadExchange, '')
  for (const message of messages) channel.publish(names.deadExchange, '', Buffer.from(message), { persistent: true })
  const arrived = async () => (await channel.checkQueue(oldestDeadQueue(names))).messageCount === messages.length
  await eventually(arrived, 'the messages in the former queue')
}
