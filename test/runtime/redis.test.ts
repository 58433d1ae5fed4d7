// Redis as a channel: messages reach every listener, what could not be said is said later, and a listener finds its way
// back; the same where REDIS_URL names a cluster or sentinels, over which limits are counted together.
import { afterEach, expect, test } from 'vitest'
import { openRedisPublisher, openRedisSubscriber } from '#runtime/redis.ts'
import { redisRateLimiter, type RateLimiter } from '../../gateway/rate-limit/limiter.ts'
import { atOnce, countTogether, subjectIn } from '../gateway/support/rate-subject.ts'
import { eventually } from '../support/eventually.ts'
import { redisBinary, startRedis } from '../support/servers/redis.ts'
import { startCluster, startWithSentinel } from '../support/servers/redis-topologies.ts'
import { services } from '../support/services.ts'
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

test.skipIf(redisBinary() === null)('a cluster of three, of which any node is named', async () => {
  await using cluster = (await startCluster())!
  // Callers that wait for every answer, however busy the machine is.
  const limits = await counting(cluster.url, { timeouts: { callMs: 10_000, silenceMs: 10_000 } })
  const arrive = arriving(cluster.url)

  expect(await leftOf(limits, 'a')).toEqual([50, 450])
  expect(await leftOf(limits, 'b')).toEqual([50, 450])
  await arrive('changed')
})

test.skipIf(redisBinary() === null)(
  'a sentinel, which names another server when the first one dies',
  async () => {
    await using watched = (await startWithSentinel())!
    const limits = await counting(watched.url)
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
const cluster = { kind: 'cluster', credentials: {}, isTls: false }
const sentinel = { kind: 'sentinel', credentials: { password: 'p' }, isTls: false, sentinelPassword: 's&' }

test.each([
  ['redis://h', { kind: 'one', url: 'redis://h' }],
  ['rediss://u:p@h:6380/1', { kind: 'one', url: 'rediss://u:p@h:6380/1' }],
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

const noRedis = ['http://h', 'h:6379']
const ofCluster = ['', 'h1,,h2', 'h1:70000', 'h1/0', 'a:b:c@h1', '%zz@h1'].map((rest) => `redis-cluster://${rest}`)
const ofSentinel = ['', '/', '/name/x', '/name?password=p', ' 1/name'].map((rest) => `redis-sentinel://h1${rest}`)
test.each([...noRedis, ...ofCluster, ...ofSentinel])('%s is refused, without a word of what it contains', (url) => {
  expect(redisAddress(url)).toBeNull()
  expect(() => redisUrl.parse(url)).toThrow(/^must be an address such as redis:\/\//)
  expect(redisUrl.hidden).toBe(true)
})
