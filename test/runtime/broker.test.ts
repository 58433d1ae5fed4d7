// RabbitMQ: what is logged of it, and against a real one, with exchanges and queues of each test's own, what arrives
// and what an earlier version has left there.
import { describe, expect, test } from 'vitest'
import { brokerAt, openConnection } from '#runtime/broker-connection.ts'
import type { OnState } from '#runtime/broker-log.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { amqpUrl } from '#runtime/shared-settings.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { brokerParts, declareFormer, logged, oldestDeadQueue } from './broker-parts.ts'

const { rabbit } = services()
const url = rabbit ?? ''
const { freshNames, publisherOf, publisher, consumer, channelAt, queuesAt, deadLetters, use, defer } = brokerParts()

const connected = 'info: RabbitMQ is connected'
const away = 'warn: RabbitMQ is away, trying again until it is back'
const movedInfo = 'info: the messages of a former queue were moved to the new one, and it was deleted'

const refused = new Error('connect ECONNREFUSED')
const silence = new Error('RabbitMQ does not answer')
const forbidden = new Error('403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - access to queue"')
const isDown = (node: string) => `NOT_FOUND - home node '${node}' of durable queue 'x' is down`
const nodeIsDown = (node: string) =>
  new Error(`Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "${isDown(node)}"`)
const notKept = expect.stringMatching(/^warn: RabbitMQ does not keep rejected messages, /)
type States = (readonly [Parameters<OnState>[0], Error?])[]
const times = (count: number, ...states: States): States => Array(count).fill(states).flat()
const lost = (error: Error) => ['disconnected', error] as const
const wellAgain = ['connected'] as const

test.each<[string, States, unknown[]]>([
  [
    'an outage as one warning, however many reconnects it takes, and the next outage as another',
    [wellAgain, ...times(5, lost(refused)), wellAgain, lost(new Error('Heartbeat timeout'))],
    [connected, away, connected, away],
  ],
  [
    'a refusal with its cause, once for each that the broker words otherwise, though it was away before',
    [lost(refused), ...times(3, lost(forbidden)), ...times(3, lost(nodeIsDown('a')), lost(nodeIsDown('b')))],
    [
      away,
      expect.stringMatching(/^warn: RabbitMQ refuses .* permissions/),
      ...['a', 'b'].map((node) => `warn: RabbitMQ refuses what it is asked for: ${isDown(node)}`),
    ],
  ],
  [
    'what is wrong with dead letters once, and not during an outage, which has been told of',
    [
      ...[lost(refused), ['dead letters not kept', refused] as const, wellAgain],
      ...times(3, ['dead letters not kept', silence]),
      ...[['dead letters kept'] as const, ['dead letters not kept', silence] as const],
    ],
    [away, connected, notKept, notKept],
  ],
])('of the connection is logged %s', (_what, states, expected) => {
  const { said, onState } = logged()

  for (const [state, error] of states) onState(state, error)

  expect(said).toEqual(expected)
})

describe.skipIf(rabbit === null)('with RabbitMQ', () => {
  test.each([
    ['a wrong password', (at: URL) => void (at.password = 'wrong'), /^warn: .*refuses the login: the user or the pass/],
    ['an unknown virtual host', (at: URL) => void (at.pathname = '/nowhere'), /^warn: .*refuses the virtual host/],
  ])('%s is a warning that names the cause', async (_what, spoil, words) => {
    const at = new URL(url)
    spoil(at)

    const { said } = await publisherOf(namesFor('test'), { at: at.href })
    await eventually(() => said.length > 0, 'a line')

    expect(said).toEqual([expect.stringMatching(words)])
  })

  test('a publish over a channel that has just closed is rejected, and nothing waits for its confirmation', async () => {
    const { publish, close } = await publisher(freshNames())
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    await close()
    const before = timers()

    const published = publish('too late')
    const after = timers()

    await expect(published).rejects.toThrow(/closed/i)
    expect(after).toBe(before)
  })

  test('what is published is confirmed and taken, no more unacked than the prefetch; what is not acked comes again', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    await Promise.all(['a', 'b', 'c'].map((body) => publish(body)))

    const first = await consumer(names, { prefetch: 2 })
    await first.messages(2)
    first.got[0]?.ack()
    await first.messages(3)
    await first.close()
    const second = await consumer(names)
    await second.messages(2)

    expect(first.bodies().toSorted()).toEqual(['a', 'b', 'c'])
    expect(second.bodies().toSorted()).toEqual(first.bodies().slice(1).toSorted())
    second.got.forEach((message) => message.ack())
    await second.close()
    const third = await consumer(names)
    await publish('next')
    await third.messages(1)
    expect(third.bodies()).toEqual(['next'])
  })

  test('what no queue takes is rejected, although the broker confirms it', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)

    await (await channelAt(url)).unbindQueue(names.queue, names.exchange, names.routingKey)

    await expect(publish('lost')).rejects.toThrow('No queue takes the message')
  })

  test('a connection that is cut is made again on both sides; an old ack harms nothing', async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const { publish, isConnected } = await publisher(names, { at: line.url })
    const { got, states, messages, bodies } = await consumer(names, { at: line.url })
    await publish('before')
    await messages(1)

    line.cut()

    await eventually(() => states.includes('disconnected'), 'the loss noticed')
    await messages(2)
    got.forEach((message) => message.ack())
    await eventually(() => isConnected(), 'the publisher connected again')
    await publish('after')
    await messages(3)
    expect(bodies()).toEqual(['before', 'before', 'after'])
  })

  test('of several addresses each is tried until one answers, and another one when that is lost', async () => {
    const names = freshNames()
    const [one, two] = [use(await startTcpProxy(url)), use(await startTcpProxy(url))]
    const [start = '', end = ''] = url.split(new URL(url).host)
    const hosts = ['127.0.0.1:1', ...[one, two].map((proxy) => new URL(proxy.url).host)]
    const at = start + hosts.join() + end
    const [sending, taking] = [await publisher(names, { at }), await consumer(names, { at })]
    const bothAre = (wanted: boolean) =>
      eventually(() => [sending, taking].every(({ isConnected }) => isConnected() === wanted), `both: ${wanted}`)

    for (const lost of [one, two]) {
      const other = lost === one ? two : one
      other.refuse()
      await bothAre(true)
      lost.refuse()
      await bothAre(false)
      other.accept()
      await bothAre(true)
      await sending.publish(`without ${lost.url}`)
      await eventually(() => taking.bodies().at(-1) === `without ${lost.url}`, 'the message')
      lost.accept()
    }
    expect(taking.said.filter((line) => line === away).length).toBeLessThanOrEqual(4)
    await Promise.all([sending.close(), taking.close()])
  })

  test('a broker that freezes is taken for lost, by the first confirm that does not come and by missing heartbeats, and found again', async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const { publish, isConnected } = await publisher(names, { at: line.url, confirmWithinMs: 300 })
    const taking = await consumer(names, { at: `${line.url}?heartbeat=1` })

    line.freeze()
    for (const one of await Promise.allSettled([publish('frozen'), publish('behind')]))
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'RabbitMQ did not confirm in time' } })
    expect(isConnected()).toBe(false)
    await expect(publish('later')).rejects.toThrow('RabbitMQ did not confirm in time')
    await eventually(() => !taking.isConnected(), 'the loss noticed by the consumer')
    expect(taking.states.at(-1)).toBe('disconnected')

    line.thaw()
    await eventually(() => isConnected() && taking.isConnected(), 'both connected again')
    await publish('after')
    await eventually(() => taking.bodies().includes('after'), 'what comes after')
  })

  test('a publisher all of whose messages are refused for a while connects again, and one refusal alone is no reason', async () => {
    const names = freshNames()
    // Long enough for each answer on a slow machine: what is late would be told as that.
    const sending = await publisher(names, { confirmWithinMs: 1_000 })
    const channel = await channelAt(url)
    const full = `${names.queue}.full`
    await channel.assertQueue(full, { exclusive: true, maxLength: 0, arguments: { 'x-overflow': 'reject-publish' } })
    await channel.bindQueue(full, names.exchange, names.routingKey)
    const dropped = () => sending.states.includes('disconnected')

    await expect(sending.publish('refused')).rejects.toThrow('message nacked')
    expect(dropped()).toBe(false)
    await eventually(() => sending.publish('refused').then(() => false, dropped), 'the connection given up')
    await channel.deleteQueue(full)

    await eventually(() => sending.isConnected(), 'connected again')
    await sending.publish('taken')
    expect(sending.states.at(-1)).toBe('connected')
    expect(sending.said[1]).toMatch(/^warn: RabbitMQ refuses all messages: .* Connecting again$/)
  })

  test('a broker that freezes while a connection is being set up ends no process, and is found again', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', note)
    defer(() => {
      process.removeAllListeners('uncaughtException')
      for (const other of others) process.on('uncaughtException', other)
    })
    const proxy = use(await startTcpProxy(url))
    const seen = { opened: 0, lost: 0, connected: false }
    const connection = await openConnection(brokerAt(`${proxy.url}?heartbeat=1`), {
      state: (state) => void (seen.connected = state === 'connected'),
      open: (model) => {
        if (++seen.opened === 1) proxy.freeze()
        return model.createChannel()
      },
      lost: () => void (seen.lost += 1),
    })
    defer(() => connection.close())

    await eventually(() => seen.lost > 0, 'the loss of the connection')
    proxy.thaw()

    await eventually(() => seen.connected, 'another connection')
    expect(uncaught).toEqual([])
  })

  test('closing does not wait for a broker that is frozen', { timeout: 20_000 }, async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const [sending, taking] = [await publisher(names, { at: line.url }), await consumer(names, { at: line.url })]

    line.freeze()

    await Promise.all([sending.close(), taking.close()])
  })

  test('a queue that is deleted is declared again', async () => {
    const names = freshNames()
    const { states, messages } = await consumer(names)

    await (await channelAt(url)).deleteQueue(names.queue)

    await eventually(() => states.filter((state) => state === 'connected').length === 2, 'a second connection')
    const { publish } = await publisher(names)
    await publish('after')
    await messages(1)
  })

  test('what lies in the classic queue of an earlier version is moved once, in its order, and the queue goes', async () => {
    const names = freshNames()
    await declareFormer(await channelAt(url), names, ['one', 'two', 'three'])

    const consumers = [await consumer(names), await consumer(names)]

    expect(await deadLetters(url, names, 3)).toEqual(['one', 'two', 'three'])
    const isThere = await queuesAt(url)
    await eventually(async () => !(await isThere(oldestDeadQueue(names))), 'the end of the former queue')
    const told = consumers.flatMap(({ said }) => said).filter((line) => line !== connected)
    expect(told).toEqual([movedInfo])
  })

  test('a queue of notifications that was made otherwise is replaced once nobody consumes from it, and what to do is said', async () => {
    const names = freshNames()
    const channel = await channelAt(url)
    await channel.assertQueue(names.queue, { durable: true })
    const { consumerTag } = await channel.consume(names.queue, () => {})

    const { isConnected, publish, said } = await publisherOf(names)
    await eventually(() => said.length > 0, 'a line')
    const words = /made otherwise\. Stop what uses it, and delete it .*: PRECONDITION_FAILED - inequivalent arg '.*$/
    expect(said).toEqual([expect.stringMatching(words)])
    expect(isConnected()).toBe(false)
    await channel.cancel(consumerTag)

    await eventually(() => isConnected(), 'a connected publisher')
    await publish('a notification')
  })

  test('a queue of dead letters that was made otherwise costs no notification, is told of, and is declared when it can be', async () => {
    const names = freshNames()
    const channel = await channelAt(url)
    await channel.assertQueue(names.deadQueue, { durable: true })

    const { got, messages, said, states } = await consumer(names)
    const { publish } = await publisher(names)
    await publish('a notification')
    await messages(1)
    const notKept = /^warn: RabbitMQ does not keep rejected messages, .*: PRECONDITION_FAILED - inequivalent arg/
    expect(said.toSorted()).toEqual([connected, expect.stringMatching(notKept)])

    await channel.deleteQueue(names.deadQueue)
    // A queue that is there may not be bound yet.
    await eventually(() => states.includes('dead letters kept'), 'the queue of dead letters, as it should be')
    got[0]?.reject()
    expect(await deadLetters(url, names, 1)).toEqual(['a notification'])
  })
})

const h = 'heartbeat=3'
test.each([
  ['amqp://u:p@h', [`amqp://u:p@h?${h}`]],
  ['amqp://u:p@ss,1@h1:5673,h2/v%2Fh', [`amqp://u:p%40ss,1@h1:5673/v%2Fh?${h}`, `amqp://u:p%40ss,1@h2/v%2Fh?${h}`]],
  ['amqps://[::1],h2?heartbeat=9', ['amqps://[::1]?heartbeat=9', 'amqps://h2?heartbeat=9']],
])('%s leads to each of its hosts, with the rest of it', (given, addresses) => {
  expect(amqpUrl.parse(given)).toBe(given)
  expect(brokerAt(given)).toEqual({ addresses, tls: {} })
})

test.each([
  'h:5672',
  'http://h',
  'amqp://h1,,h2',
  'amqp://h1,amqp://h2',
  'amqp://h:70000',
  'amqp://h?cacertfile=/a.pem',
])('%s is refused, without a word of what it contains', (given) => {
  expect(() => amqpUrl.parse(given)).toThrow(/^must be an address such as amqp:\/\//)
  expect(amqpUrl.hidden).toBe(true)
})

test('without a broker a publish is rejected at once', async () => {
  const unreachable = await publisherOf(namesFor('test'), { at: 'amqp://127.0.0.1:1' })

  expect(unreachable.isConnected()).toBe(false)
  await expect(unreachable.publish('x')).rejects.toThrow()
})
