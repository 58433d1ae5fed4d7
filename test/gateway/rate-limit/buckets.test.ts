// Token buckets: the arithmetic, and that Redis and this process come to the same.
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { bucketScript } from '../../../gateway/rate-limit/redis-script.ts'
import { memoryBuckets } from '../../../gateway/rate-limit/memory-buckets.ts'
import {
  bucketState,
  intervalUs,
  lacks,
  take,
  waitSeconds,
  type Rate,
} from '../../../gateway/rate-limit/token-bucket.ts'
import { withScript } from '../../../gateway/rate-limit/redis-buckets.ts'
import { services } from '../../support/services.ts'

const second = 1_000_000
const tenASecond: Rate = { perMinute: 600, burst: 100 }
const one = (rate: Rate, fullAt: number) => [{ rate, fullAt }]

test('a full bucket gives its burst at once and not one call more, then a tenth of a second for each', () => {
  let fullAt = 0
  const call = (now: number) => {
    const { allowed, fullAt: after } = take(one(tenASecond, fullAt), 1, now)
    fullAt = after[0]!
    return allowed
  }

  const atOnce = Array.from({ length: 101 }, () => call(second))
  const later = [call(1.099 * second), call(1.1 * second), call(1.1 * second)]

  expect(atOnce.filter(Boolean)).toHaveLength(100)
  expect(atOnce.at(-1)).toBe(false)
  expect(later).toEqual([false, true, false])
})

test('an hour of silence fills a bucket and does not overfill it', () => {
  const { fullAt } = take(one(tenASecond, 0), 100, second)
  const hourLater = second + 3_600 * second

  expect(take(one(tenASecond, fullAt[0]!), 100, hourLater).allowed).toBe(true)
  expect(take(one(tenASecond, fullAt[0]!), 101, hourLater).allowed).toBe(false)
})

test('what one bucket refuses is taken from none', () => {
  const buckets = [
    { rate: tenASecond, fullAt: 0 },
    { rate: { perMinute: 60, burst: 1 }, fullAt: 2 * second },
  ]

  expect(take(buckets, 1, second)).toEqual({ allowed: false, fullAt: [second, 2 * second] })
})

test('what is given back is there again, and never makes more than a full bucket', () => {
  const { fullAt } = take(one(tenASecond, 0), 100, 0)

  expect(take(one(tenASecond, fullAt[0]!), -1, 0)).toEqual({ allowed: true, fullAt: [9.9 * second] })
  expect(take(one(tenASecond, fullAt[0]!), -1, 60 * second).fullAt).toEqual([60 * second])
})

const rate: fc.Arbitrary<Rate> = fc.record({
  perMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 500 }),
})

test('a call after the announced wait is served, and so are as many calls as are said to remain', () => {
  fc.assert(
    fc.property(rate, fc.nat(3_600 * second), fc.integer({ min: 1, max: 100 }), (rate, fullAt, calls) => {
      const { remaining } = bucketState(rate, fullAt)
      expect(remaining > 0 && lacks(rate, fullAt, remaining)).toBe(false)
      const now = lacks(rate, fullAt, calls) ? waitSeconds(rate, fullAt, calls) * second : 0
      expect(take(one(rate, fullAt), Math.min(calls, rate.burst), now).allowed).toBe(true)
    }),
  )
})

test('over any time, no more calls pass than the burst and what comes back meanwhile', () => {
  const steps = fc.array(fc.tuple(fc.nat(second), fc.integer({ min: 1, max: 20 })), { maxLength: 100 })
  fc.assert(
    fc.property(rate, steps, (rate, steps) => {
      let [now, fullAt, passed] = [0, 0, 0]
      for (const [later, calls] of steps) {
        now += later
        const taken = take(one(rate, fullAt), calls, now)
        fullAt = taken.fullAt[0]!
        if (taken.allowed) passed += calls
      }
      expect(passed).toBeLessThanOrEqual(rate.burst + now / intervalUs(rate))
    }),
  )
})

describe.skipIf(services().redis === null)('in Redis', () => {
  const step = fc.record({
    laterUs: fc.oneof(fc.nat(200_000), fc.nat(30 * second)),
    key: fc.nat(1),
    workspace: fc.option(fc.nat(1), { nil: null }),
    calls: fc.integer({ min: -5, max: 60 }),
  })

  test('the same calls at the same times are answered alike, to the microsecond', async () => {
    const redis = new Redis(services().redis!)
    const clockKey = `test-${crypto.randomUUID()}`
    const scripted = withScript(redis, bucketScript(`tonumber(redis.call('GET', '${clockKey}'))`))
    const property = fc.asyncProperty(
      rate,
      rate,
      fc.array(step, { maxLength: 40 }),
      async (keyRate, workspaceRate, steps) => {
        const run = `${clockKey}.${crypto.randomUUID()}`
        let now = 1_800_000_000 * second
        const here = memoryBuckets(() => now)
        for (const { laterUs, key, workspace, calls } of steps) {
          now += laterUs
          await redis.set(clockKey, now)
          const buckets = [
            { name: `${run}.key.${key}`, rate: keyRate },
            ...(workspace === null ? [] : [{ name: `${run}.workspace.${workspace}`, rate: workspaceRate }]),
          ]
          const shapes = buckets.flatMap(({ rate }) => [intervalUs(rate), rate.burst])
          const names = buckets.map(({ name }) => name)

          const [allowed, ...fullInUs] = await scripted.takeTokens(names.length, ...names, calls, ...shapes)

          expect({ allowed: allowed === 1, fullInUs }).toEqual(await here.consume(buckets, calls))
        }
      },
    )
    await fc.assert(property, { numRuns: 30 })
    await redis.del(clockKey)
    redis.disconnect()
  })

  test('a full bucket gives its whole burst, at once or call by call, and not one more', async () => {
    const redis = new Redis(services().redis!)
    await using _left = { [Symbol.asyncDispose]: async () => redis.disconnect() }
    const scripted = withScript(redis, bucketScript('1800000000000000'))
    const take = async (name: string, calls: number) => (await scripted.takeTokens(1, name, calls, second, 3))[0]
    const [atOnce, oneByOne] = [`test-${crypto.randomUUID()}`, `test-${crypto.randomUUID()}`]

    const whole = [await take(atOnce, 3), await take(atOnce, 1)]
    const parts = [1, 1, 1, 1].map((calls) => take(oneByOne, calls))

    expect(whole).toEqual([1, 0])
    expect(await Promise.all(parts)).toEqual([1, 1, 1, 0])
    await redis.del(atOnce, oneByOne)
  })

  test('a call in the instant in which a second ends is counted at one time, not at a mixture of two', async () => {
    const redis = new Redis(services().redis!)
    const name = `test-${crypto.randomUUID()}`
    const clock = `
local server, asked = redis, 0
local redis = { call = function(command, ...)
  if command ~= 'TIME' then return server.call(command, ...) end
  asked = asked + 1
  return asked == 1 and { 1000, 999999 } or { 1001, 3 }
end }`

    await withScript(redis, clock + bucketScript()).takeTokens(1, name, 1, second, 100)

    expect(await redis.get(name)).toBe(String(1_000_999_999 + second))
    await redis.del(name)
    redis.disconnect()
  })

  test('a bucket that was used has a key that goes away by itself', async () => {
    const redis = new Redis(services().redis!)
    const name = `test-${crypto.randomUUID()}`

    await withScript(redis, bucketScript()).takeTokens(1, name, 1, 0, 100_000, 100)

    expect(await redis.pttl(name)).toBeGreaterThan(0)
    expect(await redis.pttl(name)).toBeLessThanOrEqual(60_100)
    await redis.del(name)
    redis.disconnect()
  })
})
