import { expect, test } from 'vitest'
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

test('a page tells where it was measured before it tells what', () => {
  const text = page('gateway', 'About it.', { machine: 'a machine' }, [{ title: 'Part', about: 'How.', table: '| |' }])
  expect(text).toBe(
    '# gateway\n\nAbout it.\n\n| | |\n| --- | --- |\n| machine | a machine |\n\n## Part\n\nHow.\n\n| |\n',
  )
})
