import { describe, expect, test } from 'vitest'
import { quantile, ratio, spreadOf } from '../../bench/report/figures.ts'

describe('spread of several rounds', () => {
  test('is the middle one, with the least and the most', () => {
    expect(spreadOf([30, 10, 20])).toEqual({ median: 20, least: 10, most: 30 })
  })

  test('of an even number lies between the two in the middle', () => {
    expect(spreadOf([4, 1, 3, 2])?.median).toBe(2.5)
  })

  test('one disturbed round does not move the median', () => {
    expect(spreadOf([10, 11, 1_000])?.median).toBe(11)
  })

  test('leaves out rounds in which the figure could not be measured', () => {
    expect(spreadOf([null, 5])).toEqual({ median: 5, least: 5, most: 5 })
    expect(spreadOf([null])).toBeNull()
  })
})

describe('ratio to the peer', () => {
  const spread = (median: number) => ({ median, least: 0, most: 0 })

  test('is of the medians', () => {
    expect(ratio(spread(30), spread(20))).toBe(1.5)
  })

  test('there is none where either was not measured', () => {
    expect(ratio(null, spread(1))).toBeNull()
    expect(ratio(spread(1), null)).toBeNull()
    expect(ratio(spread(1), spread(0))).toBeNull()
  })
})

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)

  test('is a value that was measured, whatever their order', () => {
    expect(quantile(hundred, 0.5)).toBe(50)
    expect(quantile(hundred, 0.99)).toBe(99)
    expect(quantile(hundred, 1)).toBe(100)
  })

  test('keeps values below zero in their place', () => {
    expect(quantile([-3, 10, -20], 0.5)).toBe(-3)
  })

  test('of nothing there is none', () => {
    expect(quantile([], 0.5)).toBeNull()
  })
})
