import { expect, test } from 'vitest'
import { ticksOf } from '../../bench/measure/cpu.ts'
import { loop } from '../../bench/measure/loop.ts'
import { inRounds } from '../../bench/measure/rounds.ts'
import { readOptions } from '../../bench/options.ts'
import { quantile, ratio, spreadOf } from '../../bench/report/figures.ts'

test('rounds go over all rows, every second one backwards', async () => {
  const order: string[] = []
  const row = (name: string, figure: number) => ({
    name,
    measure: async () => {
      order.push(name)
      return { figure }
    },
  })

  const measured = await inRounds([row('a', 1), row('b', 2)], 3, () => {})

  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
  expect(measured).toMatchObject([
    { name: 'a', samples: [{}, {}, {}] },
    { name: 'b', samples: [{}, {}, {}] },
  ])
})

test('a loop ends after so many, with never more under way than allowed, and fails with the first failure', async () => {
  let [running, most] = [0, 0]
  const { done } = await loop({ concurrency: 4, seconds: 10, count: 30 }, async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  })
  const failing = loop({ concurrency: 1, seconds: 10 }, () => Promise.reject(new Error('wrong answer')))

  expect([done, most]).toEqual([30, 4])
  await expect(failing).rejects.toThrow('wrong answer')
})

test('CPU time is read behind a name that holds spaces and parentheses', () => {
  expect(ticksOf('7 (a (b) c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1')).toBe(300)
})

test('options: all scenarios unless some are named', () => {
  const named = ['b', '--rounds', '1', '--seconds', '2']

  expect(readOptions([], ['a', 'b'])).toEqual({ scenarios: ['a', 'b'], rounds: 5, seconds: 5 })
  expect(readOptions(named, ['a', 'b'])).toEqual({ scenarios: ['b'], rounds: 1, seconds: 2 })
})

test.each([['c'], ['--rounds', '0'], ['--rounds', '21'], ['--seconds', '61'], ['--seconds', '1.5'], ['--loud']])(
  'options: refuses %s',
  (...args) => {
    expect(() => readOptions(args, ['a', 'b'])).toThrow()
  },
)

test.each([
  ['is the middle one, with the least and the most', [30, 10, 20], { median: 20, least: 10, most: 30 }],
  ['lies between the two in the middle', [4, 1, 3, 2], { median: 2.5, least: 1, most: 4 }],
  ['is not moved by one disturbed round', [10, 11, 1_000], { median: 11, least: 10, most: 1_000 }],
  ['leaves out what could not be measured', [null, 5], { median: 5, least: 5, most: 5 }],
  ['is none where nothing could', [null], null],
])('a spread of several rounds %s', (_rule, figures, spread) => {
  expect(spreadOf(figures)).toEqual(spread)
})

test('a ratio to the peer is of the medians; there is none where either was not measured', () => {
  const spread = (median: number) => ({ median, least: 0, most: 0 })

  expect(ratio(spread(30), spread(20))).toBe(1.5)
  expect([ratio(null, spread(1)), ratio(spread(1), null), ratio(spread(1), spread(0))]).toEqual([null, null, null])
})

test('a quantile is a value that was measured, whatever their order; of nothing there is none', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)

  expect([0.5, 0.99, 1].map((of) => quantile(hundred, of))).toEqual([50, 99, 100])
  expect(quantile([-3, 10, -20], 0.5)).toBe(-3)
  expect(quantile([], 0.5)).toBeNull()
})
