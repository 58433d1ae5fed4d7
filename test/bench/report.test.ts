import { expect, test } from 'vitest'
import { goalLine } from '../../bench/report/goals.ts'
import { page } from '../../bench/report/page.ts'
import { table, type Column } from '../../bench/report/table.ts'

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
  const ours = [
    { perSecond: 9_000, cpu: 50 },
    { perSecond: 12_000, cpu: 52.26 },
    { perSecond: 10_000, cpu: 51 },
  ]

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

test.each([
  ['over another', { over: peer, atLeast: 2 }, 'at least 2.00. Measured: 1.50, missed.'],
  ['less another', { less: peer, atMost: 60 }, 'at most 60.00. Measured: 50.00, met.'],
  ['alone', { atMost: 60 }, 'at most 60.00. Measured: 150.00, missed.'],
  [
    'less one that is not there',
    { less: { ...peer, row: 'nobody' }, atMost: 60 },
    'at most 60.00. Measured: not measured.',
  ],
])('a goal is for a figure %s', (_what, goal, said) => {
  expect(goalLine({ says: 'CPU', own, ...goal }, rowsOf([{ cpu: 150 }], { cpu: 100 }))).toBe(`Goal: CPU ${said}`)
})

test('a page tells where it was measured before it tells what', () => {
  const text = page('gateway', 'About it.', { machine: 'a machine' }, [{ title: 'Part', about: 'How.', table: '| |' }])
  expect(text).toBe(
    '# gateway\n\nAbout it.\n\n| | |\n| --- | --- |\n| machine | a machine |\n\n## Part\n\nHow.\n\n| |\n',
  )
})
