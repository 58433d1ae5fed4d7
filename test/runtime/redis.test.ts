// Redis as a channel: messages reach every listener, what could not be said is said later, and a listener finds its way
// back; the same where REDIS_URL names a cluster or sentinels, over which limits are counted together.
import { Redis } from 'ioredis'
import { afterEach, expect, test } from 'vitest'
import { openRedisPublisher, openRedisSubscriber, redisLog, replicaMessage } from '#runtime/redis.ts'
import { redisRateLimiter, type RateLimiter } from '../../gateway/rate-limit/limiter.ts'
import { atOnce, countTogether, subjectIn } from '../gateway/support/rate-subject.ts'
import { eventually } from '../support/eventually.ts'
import { redisBinary, startRedis } from '../support/servers/redis.ts'
import { startCluster, startReplicated, startWithSentinel } from '../support/servers/redis-topologies.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { redisUrl } from '#runtime/shared-settings.ts'
import { redisAddress } from '#runtime/redis-address.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))
const open = <T extends { close(): Promise<void> }>(part: T): T => {
  opened.push(part)
  return part
}
const channelOfTest = () => `test-${crypto.randomUUID()}`

function subscribed(url: string, channel: string) {
  const messages: string[] = []
  const message = (text: string) => void messages.push(text)
  return { messages, subscriber: open(openRedisSubscriber(url, channel, { message, error: () => {} })) }
}
const publishing = (url: string, channel: string) => open(openRedisPublisher(url, channel, () => {}))

test.skipIf(services().redis === null)(
  'a message reaches all who subscribe to the channel, and nobody else',
  async () => {
    const url = services().redis!
    const channel = channelOfTest()
    const [one, two, other] = [subscribed(url, channel), subscribed(url, channel), subscribed(url, channelOfTest())]
    for (const { subscriber } of [one, two, other]) await eventually(() => subscriber.isConnected(), 'connected')
    const publisher = publishing(url, channel)
    for (const text of ['a', 'b']) publisher.publish(text)
    for (const { messages } of [one, two]) await eventually(() => messages.length === 2, 'both messages')
    expect([one.messages, other.messages]).toEqual([['a', 'b'], []])
  },
)

test.skipIf(redisBinary() === null)(
  'a Redis that goes and comes back, or hangs, is subscribed to again, and what was published meanwhile is published then',
  async () => {
    await using server = (await startRedis())!
    const channel = channelOfTest()
    const { messages, subscriber } = subscribed(server.url, channel)
    const publisher = publishing(server.url, channel)
    await eventually(() => subscriber.isConnected(), 'connected')
    await server.stop('SIGKILL')
    await eventually(() => !subscriber.isConnected(), 'the loss is noticed')
    publisher.publish('meanwhile')
    publisher.publish('meanwhile')
    await server.start()
    await eventually(() => subscriber.isConnected(), 'the return is noticed')
    publisher.publish('after')
    await eventually(() => messages.includes('after'), 'messages come again')
    expect(messages.filter((text) => text === 'meanwhile').length).toBeLessThanOrEqual(1)
    server.freeze()
    await eventually(() => !subscriber.isConnected(), 'the silence is noticed', 5_000)
    server.thaw()
    await eventually(() => subscriber.isConnected(), 'the return is noticed')
  },
)

/** Callers that wait for every answer, however busy the machine is. */
const patient = { timeouts: { callMs: 10_000, silenceMs: 10_000 } }
async function counting(url: string, options: Parameters<typeof redisRateLimiter>[4] = {}) {
  const brand = `test-${crypto.randomUUID()}`
  const limits = [0, 1].map(() => open(redisRateLimiter(url, brand, atOnce(100, 500), () => {}, options)))
  await countTogether(limits)
  return limits as [RateLimiter, RateLimiter]
}
/** What is left of a key and a workspace once one has taken 20 and the other 30. */
async function leftOf([one, two]: readonly [RateLimiter, RateLimiter], keyId: string) {
  await one.consume(subjectIn(one, { keyId, workspaceId: keyId }), 20)
  const { quota } = await two.consume(subjectIn(two, { keyId, workspaceId: keyId }), 30)
  return [quota.key.remaining, quota.workspace?.remaining]
}
/** Until one arrives: what is published before the subscription is lost. */
function arriving(url: string) {
  const channel = channelOfTest()
  const { messages, subscriber } = subscribed(url, channel)
  const publisher = publishing(url, channel)
  const isHeard = (text: string) => {
    publisher.publish(text)
    return subscriber.isConnected() && messages.includes(text)
  }
  return (text: string) => eventually(() => isHeard(text), 'a notification arrives')
}

test.skipIf(redisBinary() === null)(
  'where a replica is promoted behind the same address, each connection finds it, though the old server still answers',
  async () => {
    await using pair = (await startReplicated())!
    await using way = await startTcpProxy(pair.first.url)
    const channel = channelOfTest()
    const { messages, subscriber } = subscribed(pair.second.url, channel)
    const errors: string[] = []
    const publisher = open(openRedisPublisher(way.url, channel, ({ message }) => void errors.push(message)))
    const limits = await counting(way.url, patient)
    await eventually(() => subscriber.isConnected() && publisher.isConnected(), 'connected')
    expect(await leftOf(limits, 'a')).toEqual([50, 450])

    way.leadTo(pair.second.url)
    await pair.swap()

    await eventually(() => errors.length > 0, 'the replica is noticed by the publisher')
    await eventually(() => publisher.isConnected(), 'connected again')
    publisher.publish('after')
    await eventually(() => messages.includes('after'), 'messages reach those who listen there')
    const isCounted = async () => (await leftOf(limits, crypto.randomUUID()))[0] === 50
    await eventually(isCounted, 'both count at the other server')
    expect(new Set(errors)).toEqual(new Set([replicaMessage]))
  },
  60_000,
)

test.skipIf(redisBinary() === null)(
  'a password that is wrong, or a command that the user may not use, is said once a second at most',
  async () => {
    await using server = (await startRedis())!
    const admin = new Redis(server.url)
    await admin.call('ACL', 'SETUSER', 'some', 'on', '>password', '-@all', '+ping', '+info', '~*', '&*')
    admin.disconnect()
    const said: string[] = []
    const log = redisLog({ warn: (_about: unknown, text: string) => void said.push(text) } as never)
    const as = (user: string) => Object.assign(new URL(server.url), { username: 'some', password: user }).href
    const saysNow = (words: RegExp) => eventually(() => said.some((line) => words.test(line)), String(words))

    const wrong = open(openRedisPublisher(as('wrong'), 'c', log))
    await saysNow(/^Redis refuses the login: the user or the password in REDIS_URL is wrong$/)
    await wrong.close()
    open(openRedisSubscriber(as('password'), 'c', { message: () => {}, error: log }))
    await saysNow(/^Redis refuses a command to the user in REDIS_URL: .*'subscribe'/)
    const publisher = open(openRedisPublisher(as('password'), 'c', log))
    await eventually(() => publisher.isConnected(), 'connected')
    publisher.publish('x')
    await saysNow(/'publish'/)
  },
)

test.skipIf(redisBinary() === null)('a cluster of three, of which any node is named', async () => {
  await using cluster = (await startCluster())!
  const limits = await counting(cluster.url, patient)
  const arrive = arriving(cluster.url)

  expect(await leftOf(limits, 'a')).toEqual([50, 450])
  expect(await leftOf(limits, 'b')).toEqual([50, 450])
  await arrive('changed')
})

test.skipIf(redisBinary() === null)(
  'a sentinel, which names another server when the first one dies',
  async () => {
    await using watched = (await startWithSentinel())!
    const limits = await counting(watched.url, patient)
    const arrive = arriving(watched.url)
    expect(await leftOf(limits, 'a')).toEqual([50, 450])
    await arrive('before')

    await watched.failOver()

    await eventually(() => limits.every((each) => each.redisFigures()?.isLocal), 'the loss is noticed')
    await countTogether(limits)
    const isCounted = async () => (await leftOf(limits, crypto.randomUUID()))[0] === 50
    await eventually(isCounted, 'both count at the other server')
    await arrive('after')
  },
  60_000,
)

const node = (host: string, port: number) => ({ host, port })
const untrusted = { isTls: false, caFile: null }
const cluster = { kind: 'cluster', credentials: {}, ...untrusted }
const sentinel = { kind: 'sentinel', credentials: { password: 'p' }, ...untrusted, sentinelPassword: 's&' }

test.each([
  ['redis://h', { kind: 'one', url: 'redis://h', ...untrusted }],
  ['rediss://u:p@h:6380/1', { kind: 'one', url: 'rediss://u:p@h:6380/1', isTls: true, caFile: null }],
  ['rediss://h/1?cacertfile=/a/b.pem', { kind: 'one', url: 'rediss://h/1', isTls: true, caFile: '/a/b.pem' }],
  ['rediss-cluster://h?cacertfile=/b.pem', { ...cluster, isTls: true, caFile: '/b.pem', nodes: [node('h', 6_379)] }],
  ['redis-cluster://h1:7000,h2', { ...cluster, nodes: [node('h1', 7_000), node('h2', 6_379)] }],
  [
    'rediss-cluster://u:p%40%3A@[::1]:7000',
    { ...cluster, credentials: { username: 'u', password: 'p@:' }, isTls: true, nodes: [node('::1', 7_000)] },
  ],
  [
    'redis-sentinel://:p@h1,h2:5000/main/2?sentinelPassword=s%26',
    { ...sentinel, nodes: [node('h1', 26_379), node('h2', 5_000)], name: 'main', database: 2 },
  ],
])('%s is read', (url, address) => {
  expect(redisAddress(url)).toEqual(address)
  expect(redisUrl.parse(url)).toBe(url)
})

const noRedis = ['http://h', 'h:6379', 'redis://h?cacertfile=/b.pem', 'redis-cluster://h?cacertfile=/b.pem']
const ofCluster = ['', 'h1,,h2', 'h1:70000', 'h1/0', 'a:b:c@h1', '%zz@h1'].map((rest) => `redis-cluster://${rest}`)
const ofSentinel = ['', '/', '/name/x', '/name?password=p', ' 1/name'].map((rest) => `redis-sentinel://h1${rest}`)
test.each([...noRedis, ...ofCluster, ...ofSentinel])('%s is refused, without a word of what it contains', (url) => {
  expect(redisAddress(url)).toBeNull()
  expect(() => redisUrl.parse(url)).toThrow(/^must be an address such as redis:\/\//)
  expect(redisUrl.hidden).toBe(true)
})
