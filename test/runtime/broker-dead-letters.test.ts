// What an earlier version has left in RabbitMQ, and what a cluster does when it loses a node.
import { randomUUID } from 'node:crypto'
import { connect, type Channel } from 'amqplib'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { namesFor, type BrokerNames, type OnState, brokerLog } from '#runtime/broker-connection.ts'
import { openConsumer, type ReceivedMessage } from '#runtime/broker-consumer.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { dropNamed } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { rabbitBinary, startRabbitCluster } from '../support/servers/rabbit.ts'
import { services } from '../support/services.ts'

const { rabbit } = services()

let undo: AsyncDisposableStack
beforeEach(() => void (undo = new AsyncDisposableStack()))
afterEach(() => undo.disposeAsync())

const freshNames = (): BrokerNames => namesFor(`test-${randomUUID()}`)

function logOf() {
  const lines: string[] = []
  const states: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const logged = brokerLog(log)
  const onState: OnState = (state, error) => {
    states.push(state)
    logged(state, error)
  }
  return { lines, states, onState }
}

async function consumerAt(url: string, names: BrokerNames, onMessage: (message: ReceivedMessage) => void) {
  const { lines, states, onState } = logOf()
  const consumer = await openConsumer(url, names, 10, onMessage, onState)
  undo.defer(consumer.close)
  await eventually(() => consumer.isConnected(), 'a connected consumer', 60_000)
  return { ...consumer, lines, states }
}

async function publisherAt(url: string, names: BrokerNames) {
  const { lines, onState } = logOf()
  const publisher = await openPublisher(url, names, onState)
  undo.defer(publisher.close)
  return { ...publisher, lines }
}

async function channelAt(url: string): Promise<Channel> {
  const connection = await connect(url)
  connection.on('error', () => {})
  undo.defer(() => connection.close().catch(() => {}))
  const channel = await connection.createChannel()
  channel.on('error', () => {})
  return channel
}

/** As earlier versions declared it, with messages in it. */
async function declareFormer(channel: Channel, names: BrokerNames, messages: readonly string[]): Promise<void> {
  await channel.assertExchange(names.deadExchange, 'fanout', { durable: true })
  await channel.assertQueue(names.formerDeadQueue, { durable: true, maxLength: 10_000 })
  await channel.bindQueue(names.formerDeadQueue, names.deadExchange, '')
  for (const message of messages) channel.publish(names.deadExchange, '', Buffer.from(message), { persistent: true })
  const arrived = async () => (await channel.checkQueue(names.formerDeadQueue)).messageCount === messages.length
  await eventually(arrived, 'the messages in the former queue')
}

/** Takes what lies in the queue of dead letters, once there is as much. */
async function deadLetters(url: string, names: BrokerNames, count: number): Promise<string[]> {
  const taken: string[] = []
  const channel = await channelAt(url)
  await eventually(
    async () => {
      const message = await channel.get(names.deadQueue, { noAck: true })
      if (message !== false) taken.push(message.content.toString())
      return taken.length === count
    },
    `${count} dead letters`,
    60_000,
  )
  return taken
}

const isGone = async (url: string, queue: string): Promise<boolean> =>
  (await channelAt(url)).checkQueue(queue).then(
    () => false,
    (error: Error) => error.message.includes('no queue'),
  )

describe.skipIf(rabbit === null)('with RabbitMQ', () => {
  const url = rabbit ?? ''

  test('what lies in the classic queue of an earlier version is moved once, in its order, and the queue goes', async () => {
    const names = freshNames()
    undo.defer(() => dropNamed(url, names))
    await declareFormer(await channelAt(url), names, ['one', 'two', 'three'])

    const consumers = [await consumerAt(url, names, () => {}), await consumerAt(url, names, () => {})]

    expect(await deadLetters(url, names, 3)).toEqual(['one', 'two', 'three'])
    await eventually(() => isGone(url, names.formerDeadQueue), 'the end of the former queue')
    for (const { lines } of consumers) expect(lines.filter((line) => line !== 'RabbitMQ is connected')).toEqual([])
  })

  test('a queue of notifications that was made as a classic one is replaced once nobody consumes from it', async () => {
    const names = freshNames()
    undo.defer(() => dropNamed(url, names))
    const channel = await channelAt(url)
    await channel.assertQueue(names.queue, { durable: true })
    const { consumerTag } = await channel.consume(names.queue, () => {})

    const { isConnected, publish, lines } = await publisherAt(url, names)
    await eventually(() => lines.length > 0, 'a line')
    expect(lines).toEqual([expect.stringMatching(/made otherwise: PRECONDITION_FAILED - inequivalent arg '.*$/)])
    expect(isConnected()).toBe(false)
    await channel.cancel(consumerTag)

    await eventually(() => isConnected(), 'a connected publisher')
    await publish('a notification')
  })

  test('a queue of dead letters that was made otherwise costs no notification, is told of, and is declared when it can be', async () => {
    const names = freshNames()
    undo.defer(() => dropNamed(url, names))
    const channel = await channelAt(url)
    await channel.assertQueue(names.deadQueue, { durable: true })
    const got: ReceivedMessage[] = []

    const { lines, states } = await consumerAt(url, names, (message) => void got.push(message))
    const { publish, isConnected } = await publisherAt(url, names)
    await eventually(() => isConnected(), 'a connected publisher')
    await publish('a notification')

    await eventually(() => got.length === 1, 'the notification')
    const notKept = /^RabbitMQ does not keep rejected messages, .*: PRECONDITION_FAILED - inequivalent arg/
    expect(lines.toSorted()).toEqual([expect.stringMatching(notKept), 'RabbitMQ is connected'])

    await channel.deleteQueue(names.deadQueue)
    // A queue that is there may not be bound yet.
    await eventually(() => states.includes('dead letters kept'), 'the queue of dead letters, as it should be')
    got[0]?.reject()
    expect(await deadLetters(url, names, 1)).toEqual(['a notification'])
  })
})

describe.skipIf(rabbitBinary() === null)('three nodes of RabbitMQ', () => {
  test('one lost costs no notification and no dead letter, though the former queue lay there', async () => {
    const names = freshNames()
    const cluster = undo.use(await startRabbitCluster())
    const [first, second, third] = cluster.nodes as [Node, Node, Node]
    const got: string[] = []
    const onMessage = (message: ReceivedMessage) => {
      got.push(message.body)
      if (message.body === 'junk') message.reject()
      else message.ack()
    }
    await declareFormer(await channelAt(third.url), names, ['of an earlier version'])
    await third.stop('SIGKILL')

    const consumer = await consumerAt(first.url, names, onMessage)
    const publisher = await publisherAt(second.url, names)
    await eventually(() => publisher.isConnected(), 'a connected publisher', 60_000)
    for (const body of ['junk', 'a notification']) await publisher.publish(body)

    await eventually(() => got.length === 2, 'both messages')
    expect(await deadLetters(first.url, names, 1)).toEqual(['junk'])
    const notMoved = /cannot be moved to the new one yet, .*: NOT_FOUND - home node '.*' of durable queue .* is down/
    expect(consumer.lines.toSorted()).toEqual(['RabbitMQ is connected', expect.stringMatching(notMoved)])
    expect(publisher.lines).toEqual(['RabbitMQ is connected'])
  }, 240_000)
})

type Node = Awaited<ReturnType<typeof startRabbitCluster>>['nodes'][number]
