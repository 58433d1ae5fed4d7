// What measures, and the report that it makes.
import { expect, test } from 'vitest'
import { ticksOf } from '../../bench/measure/cpu.ts'
import { loop } from '../../bench/measure/loop.ts'
import { inRounds } from '../../bench/measure/rounds.ts'
import { readOptions } from '../../bench/options.ts'
import { quantile, ratio, spreadOf } from '../../bench/report/figures.ts'
import { goalLine } from '../../bench/report/goals.ts'
import { page } from '../../bench/report/page.ts'
import { table, type Column } from '../../bench/report/table.ts'

test('rounds go over all rows, every second one backwards', async () => {
  const order: string[] = []
  const rows = ['a', 'b'].map((name) => ({ name, measure: async () => ({ figure: order.push(name) }) }))

  const measured = await inRounds(rows, 3, () => {})

  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
  expect(measured.map(({ name, samples }) => [name, samples.length])).toEqual([
    ['a', 3],
    ['b', 3],
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

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs', digits: 1 },
]

type Samples = Readonly<Record<string, number | null>>
const rowsOf = (ours: readonly Samples[], peer: Samples) => [
  { name: 'ours', samples: ours },
  { name: 'peer', samples: [peer] },
]

test('a table shows median, spread and the ratio to the peer; what was not measured is a dash', () => {
  const [least, most] = [
    { perSecond: 9_000, cpu: 50 },
    { perSecond: 12_000, cpu: 52.26 },
  ]
  const ours = [least, most, { perSecond: 10_000, cpu: 51 }]

  expect(table(columns, rowsOf(ours, { perSecond: 20_000, cpu: 25 }), 'peer').split('\n')).toEqual([
    '|  | requests/s | × peer | CPU µs |',
    '| --- | ---: | ---: | ---: |',
    '| ours | 10,000 (9,000–12,000) | 0.50 | 51.0 (50.0–52.3) |',
    '| peer | 20,000 | 1.00 | 25.0 |',
  ])
  expect(table(columns, rowsOf([{ perSecond: null }], { perSecond: 1 }), 'peer')).toContain('| ours | – | – | – |')
})

test('a table shows what is added to the peer', () => {
  const column = { figure: 'p99Ms', title: 'p99 ms', digits: 2, added: true }

  expect(table([column], rowsOf([{ p99Ms: 3.25 }], { p99Ms: 1 }), 'peer').split('\n')).toEqual([
    '|  | p99 ms | more than peer |',
    '| --- | ---: | ---: |',
    '| ours | 3.25 | 2.25 |',
    '| peer | 1.00 | 0.00 |',
  ])
})

const own = { row: 'ours', figure: 'cpu' }
const peer = { row: 'peer', figure: 'cpu' }
const nobody = { row: 'nobody', figure: 'cpu' }

test.each([
  ['over another', { over: peer, atLeast: 2 }, 'at least 2.00. Measured: 1.50, missed.'],
  ['less another', { less: peer, atMost: 60 }, 'at most 60.00. Measured: 50.00, met.'],
  ['alone', { atMost: 60 }, 'at most 60.00. Measured: 150.00, missed.'],
  ['less one that is not there', { less: nobody, atMost: 60 }, 'at most 60.00. Measured: not measured.'],
])('a goal is for a figure %s', (_what, goal, said) => {
  expect(goalLine({ says: 'CPU', own, ...goal }, rowsOf([{ cpu: 150 }], { cpu: 100 }))).toBe(`Goal: CPU ${said}`)
})

test('a page tells where it was measured before it tells what', () => {
  const text = page('gateway', 'About it.', { machine: 'a machine' }, [{ title: 'Part', about: 'How.', table: '| |' }])
  expect(text).toBe(
    '# gateway\n\nAbout it.\n\n| | |\n| --- | --- |\n| machine | a machine |\n\n## Part\n\nHow.\n\n| |\n',
  )
})
