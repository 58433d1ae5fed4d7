// What measures, and the report that it makes.
import { expect, test } from 'vitest'
import { ticksOf } from '../../bench/measure/cpu.ts'
import { loop } from '../../bench/measure/loop.ts'
import { inRounds } from '../../bench/measure/rounds.ts'
import { readOptions } from '../../bench/options.ts'
import { quantile, spreadOf } from '../../bench/report/figures.ts'
import { goalLine } from '../../bench/report/goals.ts'
import { page } from '../../bench/report/page.ts'
import { table, type Column } from '../../bench/report/table.ts'

test('rounds go over all rows, every second one backwards', async () => {
  const order: string[] = []
  const rows = ['a', 'b'].map((name) => ({ name, measure: async () => ({ figure: order.push(name) }) }))

  const measured = await inRounds(rows, 3, () => {})

  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
  expect(measured.map(({ name, samples }) => `${name} ${samples.length}`)).toEqual(['a 3', 'b 3'])
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

test('options: all scenarios unless some are named; what is unknown or out of bounds is refused', () => {
  const named = ['b', '--rounds', '1', '--seconds', '2']

  expect(readOptions([], ['a', 'b'])).toEqual({ scenarios: ['a', 'b'], rounds: 5, seconds: 5 })
  expect(readOptions(named, ['a', 'b'])).toEqual({ scenarios: ['b'], rounds: 1, seconds: 2 })
  for (const wrong of ['c', '--rounds=0', '--rounds=21', '--seconds=61', '--seconds=1.5', '--loud'])
    expect(() => readOptions([wrong], ['a', 'b']), wrong).toThrow()
})

test('a spread is of what could be measured, its median between the two in the middle', () => {
  expect(spreadOf([4, 1, null, 3, 2])).toEqual({ median: 2.5, least: 1, most: 4 })
})

test('a quantile is a value that was measured, whatever their order; of nothing there is none', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)

  expect([0.5, 0.99, 1].map((of) => quantile(hundred, of))).toEqual([50, 99, 100])
  expect(quantile([-3, 10, -20], 0.5)).toBe(-3)
  expect(quantile([], 0.5)).toBeNull()
})

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs', digits: 1, added: true },
]

type Samples = Readonly<Record<string, number | null>>
const rowsOf = (ours: readonly Samples[], peer: Samples) => [
  { name: 'ours', samples: ours },
  { name: 'peer', samples: [peer] },
]

test('a table shows median, spread, the ratio to the peer and what is added to it; what was not measured is a dash', () => {
  const speeds = [9_000, 12_000, 10_000]
  const ours = [50, 52.26, 51].map((cpu, at) => ({ perSecond: speeds[at]!, cpu }))

  expect(table(columns, rowsOf(ours, { perSecond: 20_000, cpu: 25 }), 'peer').split('\n')).toEqual([
    '|  | requests/s | × peer | CPU µs | more than peer |',
    '| --- | ---: | ---: | ---: | ---: |',
    '| ours | 10,000 (9,000–12,000) | 0.50 | 51.0 (50.0–52.3) | 26.0 |',
    '| peer | 20,000 | 1.00 | 25.0 | 0.0 |',
  ])
  expect(table(columns, rowsOf([{ perSecond: null }], { perSecond: 0 }), 'peer')).toContain('| ours | – | – | – | – |')
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

test('a goal is for what one adds to a third over what another adds to it', () => {
  const rows = Object.entries({ ours: 150, peer: 120, third: 100 }).map(([name, cpu]) => ({ name, samples: [{ cpu }] }))
  const lessOfBoth = { row: 'third', figure: 'cpu' }

  expect(goalLine({ says: 'CPU', own, over: peer, lessOfBoth, atMost: 2 }, rows)).toMatch(/Measured: 2\.50, missed\.$/)
  expect(goalLine({ says: 'CPU', own, over: peer, lessOfBoth: nobody, atMost: 2 }, rows)).toMatch(/not measured\.$/)
})

test('a page tells where it was measured before it tells what', () => {
  const text = page('gateway', 'About it.', { machine: 'a machine' }, [{ title: 'Part', about: 'How.', table: '| |' }])
  expect(text).toBe(
    '# gateway\n\nAbout it.\n\n| | |\n| --- | --- |\n| machine | a machine |\n\n## Part\n\nHow.\n\n| |\n',
  )
})
