// Rate limits over a real Redis: that gateways count together, and that no call waits for a Redis that is away.
import { afterEach, describe, expect, test } from 'vitest'
import { redisRateLimiter, type RateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import { type RedisTimeouts, gatewayCount } from '../../../gateway/rate-limit/redis-store.ts'
import { eventually } from '../../support/eventually.ts'
import { services, startRedis } from '../../support/services.ts'
import { installed } from '../../support/servers/server.ts'
import { subjectIn } from '../support/rate-subject.ts'

const redisBinary = installed('/usr/bin/redis-server', '/usr/local/bin/redis-server')
const opened: RateLimiter[] = []
afterEach(() => Promise.all(opened.splice(0).map((limits) => limits.close())))

/** So many tokens at once, and so many come back in a minute. */
const rates = (key: number, workspace: number, perMinute = 1): Rates => ({
  key: { perMinute, burst: key },
  workspace: { perMinute, burst: workspace },
})
/** Of callers that wait for every answer, however busy the machine is. */
const patient: RedisTimeouts = { callMs: 10_000, silenceMs: 10_000 }

/** Each of which knows of all of them. */
async function limiters(count: number, url: string, of: Rates, timeouts?: RedisTimeouts): Promise<RateLimiter[]> {
  const brand = `test-${crypto.randomUUID()}`
  const limits = Array.from({ length: count }, () =>
    redisRateLimiter(url, brand, of, () => {}, { ...(timeouts && { timeouts }) }),
  )
  opened.push(...limits)
  await countTogether(limits)
  // Redis learns the script with the first question, which is slower than a call waits where the machine is busy.
  for (const each of limits) await each.consume(subjectIn(each, { keyId: 'first', workspaceId: 'first' }), 2)
  return limits
}
const countTogether = (limits: readonly RateLimiter[]) =>
  eventually(
    () =>
      limits.every((each) => {
        const figures = each.redisFigures()
        return figures?.isLocal === false && figures.gateways === limits.length
      }),
    'all count in Redis and know of each other',
  )
const allowed = async (limits: RateLimiter, tokens = 1, keyId = 'k') =>
  (await limits.consume(subjectIn(limits, { keyId }), tokens)).violated.length === 0

describe.skipIf(services().redis === null)('over one Redis', () => {
  test('gateways count keys and workspaces together, all of what a call costs or nothing', async () => {
    const [one, two] = (await limiters(2, services().redis!, rates(5, 6), patient)) as [RateLimiter, RateLimiter]
    const other = { keyId: 'other' }

    const taken = [
      await one.consume(subjectIn(one), 2),
      await two.consume(subjectIn(two), 3),
      await one.consume(subjectIn(one), 2),
      await two.consume(subjectIn(two, other), 2),
    ]
    const back = await one.giveBack(subjectIn(one), 2)
    const last = await eventually(async () => {
      const verdict = await two.consume(subjectIn(two, other), 2)
      return verdict.violated.length === 0 ? verdict : null
    }, 'what was given back is there for others')

    expect(taken.map(({ violated, quota }) => [violated, quota.key.remaining, quota.workspace?.remaining])).toEqual([
      [[], 3, 4],
      [[], 0, 1],
      [['key', 'workspace'], 0, 1],
      [['workspace'], 5, 1],
    ])
    expect([back.key.remaining, back.workspace?.remaining]).toEqual([2, 3])
    expect(last.quota.key.remaining).toBe(3)
    expect(last.quota.workspace?.remaining).toBeLessThanOrEqual(1)
  })

  test('four gateways that are offered four times the limit let through the limit, and hardly ever ask', async () => {
    const perSecond = 2_000
    const limits = await limiters(4, services().redis!, rates(200, 100_000, perSecond * 60), patient)
    const asked = () => limits.reduce((sum, each) => sum + (each.redisFigures()?.redisCalls ?? 0), 0)
    const [started, before] = [performance.now(), asked()]
    let [calls, passed] = [0, 0]
    const pending: Promise<unknown>[] = []
    const count = ({ violated }: { violated: readonly unknown[] }) => void (passed += violated.length === 0 ? 1 : 0)

    while (performance.now() - started < 1_000) {
      const due = ((performance.now() - started) * perSecond * 4) / 1_000
      for (; calls < due; calls++) {
        const gateway = limits[calls % 4]!
        const verdict = gateway.consume(subjectIn(gateway), 1)
        if (verdict instanceof Promise) pending.push(verdict.then(count))
        else count(verdict)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await Promise.all(pending)
    const seconds = (performance.now() - started) / 1_000

    expect(passed).toBeLessThanOrEqual(200 + perSecond * seconds + limits.length)
    expect(passed).toBeGreaterThan(200)
    expect((asked() - before) / calls).toBeLessThan(0.2)
  })

  test('a gateway that is closed gives back what it holds, and is no longer counted', async () => {
    const [one, two] = (await limiters(2, services().redis!, rates(1_000, 100_000, 6_000), patient)) as [
      RateLimiter,
      RateLimiter,
    ]
    for (let calls = 0; calls < 50; calls++) await one.consume(subjectIn(one), 1)

    await one.close()

    await eventually(() => two.redisFigures()?.gateways === 1, 'it is gone')
    const { quota } = await two.consume(subjectIn(two), 2)
    expect(quota.key.remaining).toBeGreaterThanOrEqual(1_000 - 50 - 2)
  })
})

describe.skipIf(redisBinary === null)('a Redis', () => {
  const far = rates(60, 1_000)

  test.each(['killed', 'stopped'])(
    'that is %s fails no call and holds none up; each gateway counts its part, until those who have rested have their burst again, and nobody a second one',
    async (how) => {
      await using server = (await startRedis())!
      const limits = await limiters(2, server.url, far)
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
    const limits = redisRateLimiter(server.url, `test-${crypto.randomUUID()}`, rates(3, 9), () => {})
    opened.push(limits)
    const consumed = Array.from({ length: 4 }, () => limits.consume(subjectIn(limits), 1))

    expect(consumed.map((each) => !(each instanceof Promise) && each.violated.length === 0)).toEqual([
      true,
      true,
      true,
      false,
    ])
    await server.start()
    await countTogether([limits])
    expect(await allowed(limits)).toBe(false)
  })
})

// How many gateways are believed to be alive, by what Redis says of it.

test('more are believed at once, fewer once nothing else was heard for four seconds', () => {
  const gateways = gatewayCount()
  const counts = [
    [3, 0],
    [1, 60_000],
    [2, 62_000],
    [1, 63_999],
    [1, 64_000],
    [1, 65_000],
    [4, 65_001],
    [1, 66_000],
    [4, 67_000],
    [1, 68_000],
    [1, 71_999],
    [1, 72_000],
  ].map(([alive, atMs]) => {
    gateways.heard(alive!, atMs!)
    return gateways.count()
  })

  expect(counts).toEqual([3, 3, 3, 3, 2, 2, 4, 4, 4, 4, 4, 1])
})
