// The rate of a replay job, whenever it is looked at.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resumeAfter, tokensAt, type Pace } from '../../../service/deliveries/rules.ts'

const minuteMs = 60_000
const perMinute = fc.integer({ min: 1, max: 6_000 })

/** One look: takes the tokens that there are, or fewer. */
function takenAt(pace: Pace, atMs: number, most = Infinity): { readonly taken: number; readonly next: Pace } {
  const now = new Date(atMs)
  const taken = Math.min(tokensAt(pace, now), most)
  return { taken, next: taken === 0 ? pace : { ...pace, resumeAt: resumeAfter(pace, taken, now) } }
}

const looks = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 100_000 })),
    most: fc.oneof({ weight: 4, arbitrary: fc.constant(500) }, fc.nat({ max: 20 })),
  }),
  { maxLength: 150 },
)

test('no minute has more than the rate, however late and however often one looks', () => {
  fc.assert(
    fc.property(perMinute, looks, (rate, all) => {
      let [pace, atMs]: [Pace, number] = [{ perMinute: rate, resumeAt: null }, 1_000_000]
      const log = all.map(({ waitMs, most }) => {
        atMs += waitMs
        const { taken, next } = takenAt(pace, atMs, most)
        pace = next
        return { atMs, taken }
      })
      for (const from of log) {
        const inMinute = log.filter((one) => one.atMs >= from.atMs && one.atMs < from.atMs + minuteMs)
        expect(inMinute.reduce((sum, { taken }) => sum + taken, 0)).toBeLessThanOrEqual(rate)
      }
    }),
  )
})

test('whoever looks whenever the job goes on gets nearly the rate, at no more than a look a second or for each delivery', () => {
  fc.assert(
    fc.property(perMinute, (rate) => {
      let [pace, atMs, sum, count]: [Pace, number, number, number] = [{ perMinute: rate, resumeAt: null }, 0, 0, 0]
      while (atMs < 10 * minuteMs) {
        const { taken, next } = takenAt(pace, atMs)
        expect(taken).toBeGreaterThan(0)
        ;[pace, sum, count] = [next, sum + taken, count + 1]
        atMs = next.resumeAt!.getTime()
      }
      expect(sum).toBeGreaterThanOrEqual(Math.floor(10 * rate * 0.95))
      expect(sum).toBeLessThanOrEqual(10 * rate)
      expect(count).toBeLessThanOrEqual(650)
    }),
    { numRuns: 30 },
  )
})

test('the first goes at once, and what was not taken while nobody looked does not come all together', () => {
  const [start, later] = [new Date(0), new Date(3_600_000)]
  const [slow, fast] = [1, 600].map((rate): Pace => ({ perMinute: rate, resumeAt: null }))

  for (const pace of [slow!, fast!]) expect(tokensAt(pace, start)).toBe(1)
  expect(tokensAt({ ...slow!, resumeAt: resumeAfter(slow!, 1, start) }, later)).toBe(1)
  expect(tokensAt({ ...fast!, resumeAt: resumeAfter(fast!, 1, start) }, later)).toBeLessThanOrEqual(20)
})
