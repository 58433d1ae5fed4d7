// Rate limits over a real Redis: that gateways count together, and that no call waits for a Redis that is away.
import { afterAll, describe, expect, test } from 'vitest'
import { databaseMsPerCall } from '#contract/rate-limits.ts'
import { redisRateLimiter, standardPrice, type RateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import { type RedisTimeouts, gatewayCount } from '../../../gateway/rate-limit/redis-store.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { redisBinary, startRedis } from '../../support/servers/redis.ts'
import { atOnce, countTogether, subjectIn } from '../support/rate-subject.ts'

const opened: RateLimiter[] = []
afterAll(() => Promise.all(opened.splice(0).map((limits) => limits.close())))

/** Of callers that wait for every answer, however busy the machine is. */
const patient: RedisTimeouts = { callMs: 10_000, silenceMs: 10_000 }

async function limiters(count: number, url: string, of: Rates, timeouts?: RedisTimeouts): Promise<RateLimiter[]> {
  const brand = `test-${crypto.randomUUID()}`
  const options = { price: standardPrice, ...(timeouts && { timeouts }) }
  const limits = Array.from({ length: count }, () => redisRateLimiter(url, brand, of, () => {}, options))
  opened.push(...limits)
  await countTogether(limits)
  // Redis learns the script with the first question, which is slower than a call waits where the machine is busy.
  for (const each of limits) await each.consume(subjectIn(each, { keyId: 'first', workspaceId: 'first' }), 2)
  return limits
}
const allowed = async (limits: RateLimiter, tokens = 1, keyId = 'k') =>
  (await limits.consume(subjectIn(limits, { keyId }), tokens)).violated.length === 0

describe.skipIf(services().redis === null)('over one Redis', () => {
  const two = async (of: Rates) => (await limiters(2, services().redis!, of, patient)) as [RateLimiter, RateLimiter]

  test('gateways count keys and workspaces together, all of what a call costs or nothing', async () => {
    const [one, another] = await two(atOnce(5, 6))
    const other = { keyId: 'other' }

    const taken = [
      await one.consume(subjectIn(one), 2),
      await another.consume(subjectIn(another), 3),
      await one.consume(subjectIn(one), 2),
      await another.consume(subjectIn(another, other), 2),
    ]
    const back = await one.giveBack(subjectIn(one), 2)
    const last = await eventually(async () => {
      const verdict = await another.consume(subjectIn(another, other), 2)
      return verdict.violated.length === 0 ? verdict : null
    }, 'what was given back is there for others')

    const left = taken.map(({ quota }) => `${quota.key.remaining} ${quota.workspace?.remaining}`)
    expect(left).toEqual(['3 4', '0 1', '0 1', '5 1'])
    expect(taken.map(({ violated }) => violated)).toEqual([[], [], ['key', 'workspace'], ['workspace']])
    expect([back.key.remaining, back.workspace?.remaining]).toEqual([2, 3])
    expect(last.quota.key.remaining).toBe(3)
    expect(last.quota.workspace?.remaining).toBeLessThanOrEqual(1)
  })

  test('a gateway that is closed gives back what it holds, and is no longer counted', async () => {
    const [one, another] = await two(atOnce(1_000, 100_000, 6_000))
    for (let calls = 0; calls < 50; calls++) await one.consume(subjectIn(one), 1)

    await one.close()

    await eventually(() => another.redisFigures()?.gateways === 1, 'it is gone')
    const { quota } = await another.consume(subjectIn(another), 2)
    expect(quota.key.remaining).toBeGreaterThanOrEqual(1_000 - 50 - 2)
  })

  test('what one gateway charges for the time of the database, the other ones know of', async () => {
    const [one, another] = await two(atOnce(100))
    await one.consume(subjectIn(one), 1)

    const quota = one.charge(subjectIn(one), databaseMsPerCall * 15)

    expect(quota?.key.remaining).toBe(84)
    const left = async () => (await another.consume(subjectIn(another), 2)).quota.key.remaining
    await eventually(async () => (await left()) < 84, 'the other gateway has heard of it')
  })
})

// It takes ten seconds until a Redis that was away counts again: all wait for theirs at the same time.
describe.skipIf(redisBinary() === null).concurrent('a Redis', () => {
  test.each(['killed', 'stopped'])(
    'that is %s fails no call and holds none up; each gateway counts its part, until those who have rested have their burst again, and nobody a second one',
    async (how) => {
      await using server = (await startRedis())!
      const limits = await limiters(2, server.url, atOnce(60), { callMs: 500, silenceMs: 1_000 })
      for (const each of limits) expect(await allowed(each, 10)).toBe(true)
      // So that the first one knows of the second one's tokens.
      expect(await allowed(limits[0]!, 2)).toBe(true)
      if (how === 'killed') await server.stop('SIGKILL')
      else server.freeze()

      let passed = 0
      for (let calls = 0; calls < 60; calls++) if (await allowed(limits[0]!)) passed++
      const without = Array.from({ length: 50 }, () => limits[0]!.consume(subjectIn(limits[0]!), 1))

      // Of 38 that were left it may take half, and one of credit; less where an answer before was late, on a busy
      // machine.
      expect(passed).toBeGreaterThanOrEqual(17)
      expect(passed).toBeLessThanOrEqual(20)
      expect(without.some((each) => each instanceof Promise)).toBe(false)
      expect(limits[0]!.redisFigures()?.isLocal).toBe(true)
      expect(limits[0]!.redisFigures()?.localCalls).toBeGreaterThan(60)
      if (how === 'killed') await server.start()
      else server.thaw()
      const partOfRested = await allowed(limits[0]!, 30, 'rested')
      await countTogether(limits)

      expect(partOfRested).toBe(true)
      for (const each of limits) expect(await allowed(each, 40)).toBe(false)
      expect(await allowed(limits[1]!, 60, 'rested for longer')).toBe(true)
      expect(await allowed(limits[0]!, 2, 'rested for longer')).toBe(false)
    },
  )

  test('that was never there lets every gateway count for itself, and is asked once it is', async () => {
    await using server = (await startRedis())!
    await server.stop('SIGKILL')
    const limits = redisRateLimiter(server.url, `test-${crypto.randomUUID()}`, atOnce(3, 9), () => {})
    opened.push(limits)
    const consumed = Array.from({ length: 4 }, () => limits.consume(subjectIn(limits), 1))

    const passed = consumed.map((each) => !(each instanceof Promise) && each.violated.length === 0)
    expect(passed).toEqual([true, true, true, false])
    await server.start()
    await countTogether([limits])
    expect(await allowed(limits)).toBe(false)
  })
})

test('more gateways are believed to be alive at once, fewer once nothing else was heard for four seconds', () => {
  const gateways = gatewayCount()
  const heard = [
    [3, 0, 3],
    [1, 60_000, 3],
    [2, 62_000, 3],
    [1, 63_999, 3],
    [1, 64_000, 2],
    [4, 65_001, 4],
    [1, 68_000, 4],
    [1, 71_999, 4],
    [1, 72_000, 1],
  ] as const

  for (const [alive, at, count] of heard) {
    gateways.heard(alive, at)
    expect([at, gateways.count()]).toEqual([at, count])
  }
})
