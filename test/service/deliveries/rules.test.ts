// The rate of a replay job, whenever it is looked at.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resumeAfter, tokensAt, type Pace } from '../../../service/deliveries/rules.ts'

const minuteMs = 60_000
const perMinute = fc.integer({ min: 1, max: 6_000 })

/** Looks again and again: each look takes the tokens that there are, or fewer. */
function looksAt(rate: number) {
  let pace: Pace = { perMinute: rate, resumeAt: null }
  return (atMs: number, most = Infinity) => {
    const now = new Date(atMs)
    const taken = Math.min(tokensAt(pace, now), most)
    if (taken > 0) pace = { ...pace, resumeAt: resumeAfter(pace, taken, now) }
    return { atMs, taken, resumeMs: pace.resumeAt?.getTime() ?? atMs }
  }
}
const taken = (looks: readonly { readonly taken: number }[]) => looks.reduce((sum, { taken }) => sum + taken, 0)

const waits = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 100_000 })),
    most: fc.oneof({ weight: 4, arbitrary: fc.constant(500) }, fc.nat({ max: 20 })),
  }),
  { maxLength: 150 },
)

test('no minute has more than the rate, however late and however often one looks', () => {
  fc.assert(
    fc.property(perMinute, waits, (rate, all) => {
      const look = looksAt(rate)
      let atMs = 1_000_000
      const looks = all.map(({ waitMs, most }) => look((atMs += waitMs), most))
      for (const from of looks) {
        const inMinute = looks.filter((one) => one.atMs >= from.atMs && one.atMs < from.atMs + minuteMs)
        expect(taken(inMinute)).toBeLessThanOrEqual(rate)
      }
    }),
  )
})

test('whoever looks whenever the job goes on gets nearly the rate, at no more than a look a second or for each delivery', () => {
  fc.assert(
    fc.property(perMinute, (rate) => {
      const look = looksAt(rate)
      const looks = []
      for (let atMs = 0; atMs < 10 * minuteMs; atMs = looks.at(-1)?.resumeMs ?? Infinity) looks.push(look(atMs))

      expect(Math.min(...looks.map(({ taken }) => taken))).toBeGreaterThan(0)
      expect(taken(looks)).toBeGreaterThanOrEqual(Math.floor(10 * rate * 0.95))
      expect(taken(looks)).toBeLessThanOrEqual(10 * rate)
      expect(looks.length).toBeLessThanOrEqual(650)
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['slow', 1, 1],
  ['quick', 600, 20],
])('the first goes at once, and what nobody took for an hour does not come all together: a %s job', (_, rate, most) => {
  const look = looksAt(rate)

  const [first, later, again] = [look(0), look(3_600_000), look(3_600_000)].map(({ taken }) => taken)

  expect([first, again]).toEqual([1, 0])
  expect(later).toBeGreaterThan(0)
  expect(later).toBeLessThanOrEqual(most)
})
