import { expect, test } from 'vitest'
import { goalLine } from '../../bench/report/goals.ts'
import { page } from '../../bench/report/page.ts'
import { table, type Column } from '../../bench/report/table.ts'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs', digits: 1 },
]

test('a table shows median, spread and the ratio to the peer', () => {
  const ours = {
    name: 'ours',
    samples: [
      { perSecond: 9_000, cpu: 50 },
      { perSecond: 12_000, cpu: 52.26 },
      { perSecond: 10_000, cpu: 51 },
    ],
  }
  const peer = { name: 'peer', samples: [{ perSecond: 20_000, cpu: 25 }] }
  expect(table(columns, [ours, peer], 'peer').split('\n')).toEqual([
    '|  | requests/s | × peer | CPU µs |',
    '| --- | ---: | ---: | ---: |',
    '| ours | 10,000 (9,000–12,000) | 0.50 | 51.0 (50.0–52.3) |',
    '| peer | 20,000 | 1.00 | 25.0 |',
  ])
})

test('what was not measured is a dash, and so is its ratio', () => {
  const rows = [
    { name: 'ours', samples: [{ perSecond: null }] },
    { name: 'peer', samples: [{ perSecond: 1 }] },
  ]
  expect(table(columns, rows, 'peer')).toContain('| ours | – | – | – |')
})

test('a table shows what is added to the peer', () => {
  const rows = [
    { name: 'ours', samples: [{ p99Ms: 3.25 }] },
    { name: 'peer', samples: [{ p99Ms: 1 }] },
  ]
  expect(table([{ figure: 'p99Ms', title: 'p99 ms', digits: 2, added: true }], rows, 'peer').split('\n')).toEqual([
    '|  | p99 ms | more than peer |',
    '| --- | ---: | ---: |',
    '| ours | 3.25 | 2.25 |',
    '| peer | 1.00 | 0.00 |',
  ])
})

test('a goal is for a figure over another, or less another', () => {
  const rows = [
    { name: 'ours', samples: [{ cpu: 150 }] },
    { name: 'peer', samples: [{ cpu: 100 }] },
  ]
  const [own, peer] = [
    { row: 'ours', figure: 'cpu' },
    { row: 'peer', figure: 'cpu' },
  ]
  expect(goalLine({ says: 'CPU', own, over: peer, atLeast: 2 }, rows)).toBe(
    'Goal: CPU at least 2.00. Measured: 1.50, missed.',
  )
  expect(goalLine({ says: 'CPU', own, less: peer, atMost: 60 }, rows)).toBe(
    'Goal: CPU at most 60.00. Measured: 50.00, met.',
  )
  expect(goalLine({ says: 'CPU', own, atMost: 60 }, rows)).toMatch(/^Goal: CPU at most 60.00. Measured: .*, missed.$/)
  expect(goalLine({ says: 'CPU', own, less: { ...peer, row: 'nobody' }, atMost: 60 }, rows)).toBe(
    'Goal: CPU at most 60.00. Measured: not measured.',
  )
})

test('a page tells where it was measured before it tells what', () => {
  const text = page('gateway', 'About it.', { machine: 'a machine' }, [{ title: 'Part', about: 'How.', table: '| |' }])
  expect(text).toBe(
    '# gateway\n\nAbout it.\n\n| | |\n| --- | --- |\n| machine | a machine |\n\n## Part\n\nHow.\n\n| |\n',
  )
})
