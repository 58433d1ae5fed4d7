// REDIS_URL names a cluster, or sentinels: limits are counted together and notifications arrive, also after a failover.
import { afterEach, expect, test } from 'vitest'
import { openRedisPublisher, openRedisSubscriber } from '#runtime/redis.ts'
import { redisRateLimiter, type RateLimiter } from '../../gateway/rate-limit/limiter.ts'
import { atOnce, countTogether, subjectIn } from '../gateway/support/rate-subject.ts'
import { eventually } from '../support/eventually.ts'
import { redisBinary } from '../support/servers/redis.ts'
import { startCluster, startWithSentinel } from '../support/servers/redis-topologies.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))
const open = <T extends { close(): Promise<void> }>(part: T): T => {
  opened.push(part)
  return part
}

/** Two gateways that count together. */
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
function notifications(url: string) {
  const channel = `test-${crypto.randomUUID()}`
  const heard: string[] = []
  const subscriber = open(openRedisSubscriber(url, channel, { message: (text) => heard.push(text), error: () => {} }))
  const publisher = open(openRedisPublisher(url, channel, () => {}))
  /** Until one arrives: what is published before the subscription is lost. */
  const arrive = (text: string) =>
    eventually(() => {
      publisher.publish(text)
      return subscriber.isConnected() && heard.includes(text)
    }, 'a notification arrives')
  return { arrive }
}

test.skipIf(redisBinary() === null)('a cluster of three, of which any node is named', async () => {
  await using cluster = (await startCluster())!
  // Callers that wait for every answer, however busy the machine is.
  const limits = await counting(cluster.url, { timeouts: { callMs: 10_000, silenceMs: 10_000 } })
  const { arrive } = notifications(cluster.url)

  expect(await leftOf(limits, 'a')).toEqual([50, 450])
  expect(await leftOf(limits, 'b')).toEqual([50, 450])
  await arrive('changed')
})

test.skipIf(redisBinary() === null)(
  'a sentinel, which names another server when the first one dies',
  async () => {
    await using watched = (await startWithSentinel())!
    const limits = await counting(watched.url)
    const { arrive } = notifications(watched.url)
    expect(await leftOf(limits, 'a')).toEqual([50, 450])
    await arrive('before')

    await watched.failOver()

    await eventually(() => limits.every((each) => each.redisFigures()?.isLocal), 'the loss is noticed')
    await countTogether(limits)
    await eventually(async () => {
      const [ofKey] = await leftOf(limits, crypto.randomUUID())
      return ofKey === 50
    }, 'both count at the other server')
    await arrive('after')
  },
  60_000,
)
