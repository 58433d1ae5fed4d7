import { expect, test } from 'vitest'
import { ticksOf } from '../../bench/measure/cpu.ts'
import { loop } from '../../bench/measure/loop.ts'
import { inRounds } from '../../bench/measure/rounds.ts'
import { readOptions } from '../../bench/options.ts'

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
  expect(measured.map(({ name, samples }) => [name, samples.length])).toEqual([
    ['a', 3],
    ['b', 3],
  ])
})

test('a loop ends after so many, with never more under way than allowed', async () => {
  let [running, most] = [0, 0]
  const { done } = await loop({ concurrency: 4, seconds: 10, count: 30 }, async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  })
  expect([done, most]).toEqual([30, 4])
})

test('a loop fails with the first failure', async () => {
  await expect(loop({ concurrency: 1, seconds: 10 }, () => Promise.reject(new Error('wrong answer')))).rejects.toThrow(
    'wrong answer',
  )
})

test('CPU time is read behind a name that holds spaces and parentheses', () => {
  expect(ticksOf('7 (a (b) c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1')).toBe(300)
})

test('options: all scenarios unless some are named', () => {
  expect(readOptions([], ['a', 'b'])).toEqual({ scenarios: ['a', 'b'], rounds: 5, seconds: 5 })
  expect(readOptions(['b', '--rounds', '1', '--seconds', '2'], ['a', 'b'])).toEqual({
    scenarios: ['b'],
    rounds: 1,
    seconds: 2,
  })
})

test.each([['c'], ['--rounds', '0'], ['--rounds', '21'], ['--seconds', '61'], ['--seconds', '1.5'], ['--loud']])(
  'options: refuses %s',
  (...args) => {
    expect(() => readOptions(args, ['a', 'b'])).toThrow()
  },
)
