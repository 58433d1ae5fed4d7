import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultSchedule, delayAfter, maxAttempts, relievingDelay } from '../../../dispatcher/attempt/retry-decision.ts'

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('the default schedule is ten attempts over a little more than a day', () => {
  expect(defaultSchedule).toEqual([5, 20, 80, 320, 1_280, 5_120, 20_480, 43_200, 43_200])
  expect(maxAttempts(defaultSchedule)).toBe(10)
})

test('every wait is within 20 % of the schedule', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 86_400 }), { minLength: 1, maxLength: 19 }),
      fc.integer({ min: 1, max: 30 }),
      chance,
      (schedule, tries, random) => {
        const planned = (schedule[Math.min(tries, schedule.length) - 1] ?? Number.NaN) * 1_000
        const delay = delayAfter(tries, schedule, random)
        expect(delay).toBeGreaterThanOrEqual(Math.round(planned * 0.8))
        expect(delay).toBeLessThanOrEqual(Math.round(planned * 1.2))
      },
    ),
  )
})

test('a relieving delay is spread over 60 to 90 seconds, and never less than a minute', () => {
  expect([0, 0.5, 0.999_999_999].map(relievingDelay)).toEqual([60_000, 75_000, 90_000])
})
