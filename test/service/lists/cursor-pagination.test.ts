import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { keyset, pager } from '../../../service/lists/cursor-pagination.ts'

const pages = pager(deriveKey('a secret of at least thirty-two characters', 'cursors'))
const rows = Array.from({ length: 3 }, (_, at) => ({ id: String(at), name: `n${at}` }))
const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : 'no fault'
  }
}
const cursorFor = (input: object): string => {
  const paging = pages.open('projects.list', 'w', { ...input, limit: 2 }, 'name')
  return (
    pages.page(
      rows,
      paging,
      ({ name }) => name,
      (row) => row,
    ).page.nextCursor ?? ''
  )
}

test('a page that is not the last carries a cursor to its last row', () => {
  const cursor = cursorFor({ status: ['active'] })

  const next = pages.open('projects.list', 'w', { status: ['active'], limit: 5, cursor } as never, 'name')

  expect(next.after).toMatchObject({ value: 'n1', id: '1' })
})

test('the last page has no cursor', () => {
  const paging = pages.open('projects.list', 'w', { limit: 3 }, 'name')

  expect(
    pages.page(
      rows,
      paging,
      ({ name }) => name,
      (row) => row,
    ).page,
  ).toEqual({ limit: 3, nextCursor: null, hasMore: false })
})

test('a cursor of another filter, sort, operation or workspace is refused', () => {
  const cursor = cursorFor({})

  for (const open of [
    () => pages.open('projects.list', 'w', { cursor, status: ['active'] } as never, 'name'),
    () => pages.open('projects.list', 'w', { cursor, sort: '-name' }, 'name'),
    () => pages.open('webhooks.list', 'w', { cursor }, 'name'),
    () => pages.open('projects.list', 'v', { cursor }, 'name'),
  ]) {
    expect(codeOf(open)).toBe('cursor_mismatch')
  }
})

test('a cursor that was not made here is refused, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(codeOf(() => pages.open('projects.list', 'w', { cursor }, 'name'))).toBe('invalid_cursor')
    }),
  )
})

test('a cursor with one character changed is refused', () => {
  const cursor = cursorFor({})
  fc.assert(
    fc.property(fc.nat(cursor.length - 2), (at) => {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
      expect(codeOf(() => pages.open('projects.list', 'w', { cursor: changed }, 'name'))).toBe('invalid_cursor')
    }),
  )
})

test('the rows after a position are those beyond its value, or equal to it with a later id', () => {
  const paging = {
    limit: 2,
    field: 'createdAt',
    descending: true,
    after: { value: '2026-01-01T00:00:00.000Z', id: 'x' },
    query: '',
  }

  expect(keyset(paging)).toEqual({
    where: {
      AND: [
        { createdAt: { lte: new Date('2026-01-01T00:00:00.000Z') } },
        { OR: [{ createdAt: { lt: new Date('2026-01-01T00:00:00.000Z') } }, { id: { lt: 'x' } }] },
      ],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 3,
  })
})
