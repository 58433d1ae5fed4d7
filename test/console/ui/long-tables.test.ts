// The order of a table, and which of its rows are drawn.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFocused, withGaps } from '../../../console/ui/row-gaps.ts'
import { nextOrder, sortedRows } from '../../../console/ui/sorting.ts'

type Row = { readonly name: string; readonly at: number | null }
const columns = [
  { sort: { name: 'name', value: ({ name }: Row) => name } },
  { sort: { name: 'at', value: ({ at }: Row) => at, isDescendingFirst: true } },
] as const
const row = (name: string, at: number | null = null): Row => ({ name, at })

test('names are sorted as people count and without case; equal ones stay as they came', () => {
  const rows = [row('key 10', 1), row('Key 9', 2), row('key 9', 3), row('Ärger', 4)]

  const names = (order: string | undefined) => sortedRows(rows, columns, order).map(({ name }) => name)

  expect(names('name')).toEqual(['Ärger', 'Key 9', 'key 9', 'key 10'])
  expect(names('-name')).toEqual(['key 10', 'Key 9', 'key 9', 'Ärger'])
  expect([names(undefined), names('unknown')]).toEqual([rows, rows].map((all) => all.map(({ name }) => name)))
})

test('a sorted table has the same rows, and what has no value comes last either way', () => {
  const given = fc.array(fc.record({ name: fc.string(), at: fc.option(fc.integer()) }))
  const property = fc.property(given, fc.constantFrom('at', '-at'), (rows, order) => {
    const sorted = sortedRows(rows, columns, order)

    expect(sorted.toSorted(byIdentity(rows))).toEqual(rows)
    const values = sorted.map(({ at }) => at)
    const known = values.filter((at) => at !== null)
    expect(values.slice(0, known.length)).toEqual(known)
    expect(known).toEqual(known.toSorted((one, other) => (order === 'at' ? one - other : other - one)))
  })
  fc.assert(property)
})

const byIdentity =
  (rows: readonly Row[]) =>
  (one: Row, other: Row): number =>
    rows.indexOf(one) - rows.indexOf(other)

test.each([
  ['name', ['name', '-name', undefined]],
  ['at', ['-at', 'at', undefined]],
])('the head of %s goes one way, the other way and back', (name, expected) => {
  const { sort } = columns.find((column) => column.sort.name === name)!

  const first = nextOrder(sort, undefined)
  const second = nextOrder(sort, first)

  expect([first, second, nextOrder(sort as never, second)]).toEqual(expected)
  expect(nextOrder(sort as never, 'another')).toBe(first)
})

test('what is drawn and the gaps between are as high as the whole, and the focused row is among it', () => {
  const height = 50
  const count = 1_000
  const property = fc.property(fc.nat(count - 1), fc.nat(40), fc.nat(count + 10), (first, more, focused) => {
    const onScreen = Array.from({ length: Math.min(count - first, more + 1) }, (_, n) => first + n)
    const places = withFocused(onScreen, focused, count)

    const drawn = withGaps(
      places.map((index) => ({ index, start: 300 + index * height, end: 300 + (index + 1) * height })),
      300,
      count * height,
    )

    const rows = drawn.flatMap((each) => (each.kind === 'row' ? [each.at] : []))
    const gaps = drawn.flatMap((each) => (each.kind === 'gap' ? [each.height] : []))
    expect(rows).toEqual(places)
    expect(rows.includes(focused)).toBe(focused < count)
    expect(rows.length * height + gaps.reduce((sum, each) => sum + each, 0)).toBe(count * height)
  })
  fc.assert(property, { examples: [[0, 10, 500]] })
})
