// How high a chart is, and where its lines go.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linePath, lonePath } from '../../../console/charts/line-path.ts'
import { niceCountMax, niceMax, stackHeights } from '../../../console/charts/scale.ts'

test('a scale ends at a round number', () => {
  const ends = [0, -3, Number.NaN, 1, 2.1, 3, 7, 0.03].map((most) => Number(niceMax(most).toFixed(10)))

  expect(ends).toEqual([1, 1, 1, 1, 2.5, 5, 10, 0.05])
})

test('what is counted has a scale whose end and middle are whole', () => {
  expect([0, 1, 3, 5, 7, 10, 22, 41, 100, 101].map(niceCountMax)).toEqual([2, 2, 4, 6, 10, 10, 40, 60, 100, 200])
  fc.assert(
    fc.property(fc.nat({ max: 1e12 }), (count) => {
      expect(niceCountMax(count)).toBeGreaterThanOrEqual(count)
      expect(niceCountMax(count)).toBeLessThanOrEqual(Math.max(2, count * 2))
      expect(niceCountMax(count) % 2).toBe(0)
    }),
  )
})

test('a scale ends above what it shows, and by no more than two and a half times', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (value) => {
      expect(niceMax(value)).toBeGreaterThanOrEqual(value)
      expect(niceMax(value)).toBeLessThanOrEqual(value * 2.5)
    }),
  )
})

test('a column is as high as all its parts, and what was not measured counts for nothing', () => {
  expect(stackHeights(3, [{ values: [1, 2] }, { values: [10, null, 30] }])).toEqual([11, 2, 30])
  expect(stackHeights(2, [])).toEqual([0, 0])
})

test('a line goes from column to column, is broken where nothing was measured, and a lone value is a dot', () => {
  expect(linePath([0, 5, 10], 3, 10)).toBe('M16.67 100L50 50L83.33 0')
  expect(linePath([10, 5, null, 5], 4, 10)).toBe('M12.5 0L37.5 50')
  expect(lonePath([10, 5, null, 5], 4, 10)).toBe('M87.5 50h0')
  expect(linePath([null, null], 2, 10)).toBe('')
  expect([linePath([5], 1, 10), lonePath([5], 1, 10)]).toEqual(['', 'M50 50h0'])
})
