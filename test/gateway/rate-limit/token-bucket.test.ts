// Token buckets: the arithmetic. In Redis: test/gateway/rate-limit/redis-script.test.ts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketState, intervalUs, lacks, take, waitSeconds } from '../../../gateway/rate-limit/token-bucket.ts'
import type { Rate } from '../../../gateway/rate-limit/token-bucket.ts'

const second = 1_000_000
const tenASecond: Rate = { perMinute: 600, burst: 100 }
const one = (rate: Rate, fullAt: number) => [{ rate, fullAt }]

test('an hour of silence, or what is given back, fills a bucket and does not overfill it', () => {
  const { fullAt } = take(one(tenASecond, 0), 100, second)
  const emptied = one(tenASecond, fullAt[0]!)
  const hourLater = second + 3_600 * second

  expect([100, 101].map((calls) => take(emptied, calls, hourLater).allowed)).toEqual([true, false])
  expect(take(emptied, -1, second)).toEqual({ allowed: true, fullAt: [10.9 * second] })
  expect(take(emptied, -1, 60 * second).fullAt).toEqual([60 * second])
})

test('what one bucket refuses is taken from none', () => {
  const buckets = [...one(tenASecond, 0), ...one({ perMinute: 60, burst: 1 }, 2 * second)]

  expect(take(buckets, 1, second)).toEqual({ allowed: false, fullAt: [second, 2 * second] })
})

const rate: fc.Arbitrary<Rate> = fc.record({
  perMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 500 }),
})

test('a full bucket has no next token, and one of which tokens are missing has the next when it says so', () => {
  const property = fc.property(rate, fc.nat(3_600 * second), (rate, fullInUs) => {
    const { remaining, nextSeconds, resetSeconds } = bucketState(rate, fullInUs)
    expect(nextSeconds).toBeLessThanOrEqual(resetSeconds)
    if (fullInUs === 0) return expect([remaining, nextSeconds]).toEqual([rate.burst, 0])
    const later = Math.max(0, fullInUs - nextSeconds * second)
    expect(bucketState(rate, later).remaining).toBeGreaterThan(remaining)
    for (const tokens of [remaining + 1, remaining + 7])
      expect(waitSeconds(rate, fullInUs, tokens)).toBeGreaterThanOrEqual(nextSeconds)
  })
  fc.assert(property)
})

test('a call after the announced wait is served, and so are as many calls as are said to remain', () => {
  const property = fc.property(
    rate,
    fc.nat(3_600 * second),
    fc.integer({ min: 1, max: 100 }),
    (rate, fullAt, calls) => {
      const { remaining } = bucketState(rate, fullAt)
      expect(remaining > 0 && lacks(rate, fullAt, remaining)).toBe(false)
      const now = lacks(rate, fullAt, calls) ? waitSeconds(rate, fullAt, calls) * second : 0
      expect(take(one(rate, fullAt), Math.min(calls, rate.burst), now).allowed).toBe(true)
    },
  )
  fc.assert(property)
})

test('over any time, no more calls pass than the burst and what comes back meanwhile', () => {
  const steps = fc.array(fc.tuple(fc.nat(second), fc.integer({ min: 1, max: 20 })), { maxLength: 100 })
  const property = fc.property(rate, steps, (rate, steps) => {
    let [now, fullAt, passed] = [0, 0, 0]
    for (const [later, calls] of steps) {
      now += later
      const taken = take(one(rate, fullAt), calls, now)
      fullAt = taken.fullAt[0]!
      if (taken.allowed) passed += calls
    }
    expect(passed).toBeLessThanOrEqual(rate.burst + now / intervalUs(rate))
  })
  fc.assert(property)
})
