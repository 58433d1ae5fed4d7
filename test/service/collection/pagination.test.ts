import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { keyset, pager } from '../../../service/collection/pagination.ts'
import { codeOf } from '../../support/faults.ts'

const pages = pager(deriveKey('a secret of at least thirty-two characters', 'cursors'))
const rows = Array.from({ length: 3 }, (_, at) => ({ id: String(at), name: `n${at}` }))

const open = (query: object, name: 'projects.list' | 'webhooks.list' = 'projects.list', workspaceId = 'w') =>
  pages.open(name, workspaceId, query, 'name')
const nameOf = ({ name }: { name: string }) => name
const pageFor = (query: object) => pages.page(rows, open(query), nameOf, (row) => row).page
const cursorFor = (query: object): string => pageFor({ ...query, limit: 2 }).nextCursor ?? ''

test('a page that is not the last carries a cursor to its last row', () => {
  const cursor = cursorFor({ status: ['active'] })

  expect(open({ status: ['active'], limit: 5, cursor }).after).toMatchObject({ value: 'n1', id: '1' })
})

test('the last page has no cursor', () => {
  expect(pageFor({ limit: 3 })).toEqual({ limit: 3, nextCursor: null, hasMore: false })
})

test('a cursor of another filter, sort, operation or workspace is refused', () => {
  const cursor = cursorFor({})

  for (const elsewhere of [
    () => open({ cursor, status: ['active'] }),
    () => open({ cursor, sort: '-name' }),
    () => open({ cursor }, 'webhooks.list'),
    () => open({ cursor }, 'projects.list', 'v'),
  ])
    expect(codeOf(elsewhere)).toBe('cursor_mismatch')
})

test('a cursor that was not made here is refused, whatever it is, and so is one with one character changed', () => {
  const made = cursorFor({})
  const changed = fc
    .nat(made.length - 2)
    .map((at) => made.slice(0, at) + (made[at] === 'A' ? 'B' : 'A') + made.slice(at + 1))
  fc.assert(
    fc.property(fc.oneof(fc.string(), changed), (cursor) => {
      expect(codeOf(() => open({ cursor }))).toBe('invalid_cursor')
    }),
  )
})

test('the rows after a position are those beyond its value, or equal to it with a later id', () => {
  const value = '2026-01-01T00:00:00.000Z'
  const at = new Date(value)

  expect(keyset({ limit: 2, field: 'createdAt', descending: true, after: { value, id: 'x' }, query: '' })).toEqual({
    where: { AND: [{ createdAt: { lte: at } }, { OR: [{ createdAt: { lt: at } }, { id: { lt: 'x' } }] }] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 3,
  })
})
