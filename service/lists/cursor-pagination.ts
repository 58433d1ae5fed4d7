// Keyset pages. A cursor holds the last row's sort value and id and a hash of the query that it belongs to, signed:
// a cursor that was tampered with, or carried to another query, is refused.
import { Fault } from '#contract/faults/fault.ts'
import { sign, verify } from '#runtime/sealing-and-signing.ts'
import type { KeyObject } from 'node:crypto'
import { canonicalHash } from '../text/canonical-json.ts'
import { pageItemsDefault } from '#contract/pagination.ts'

/** What a cursor holds. */
type Position = { readonly value: string; readonly id: string; readonly query: string }

export type Paging = {
  readonly limit: number
  readonly field: string
  readonly descending: boolean
  readonly after: { readonly value: string; readonly id: string } | null
  readonly query: string
}
type PageInput = { limit?: number; cursor?: string; sort?: string }

export type Pager = ReturnType<typeof pager>

export const pager = (key: KeyObject) => ({
  open(operation: string, workspaceId: string, input: PageInput, defaultSort: string): Paging {
    const { limit = pageItemsDefault, cursor, sort = defaultSort, ...filter } = input
    const query = canonicalHash([operation, workspaceId, sort, filter]).toString('base64url').slice(0, 16)
    const field = sort.replace(/^-/, '')
    return {
      limit,
      field,
      descending: sort.startsWith('-'),
      after: cursor === undefined ? null : read(key, cursor, query),
      query,
    }
  },

  /** `rows` holds one more than the page where there is a next one. */
  page<R extends { readonly id: string }, T>(
    rows: readonly R[],
    paging: Paging,
    valueOf: (row: R) => string,
    show: (row: R) => T,
  ) {
    const shown = rows.slice(0, paging.limit)
    const last = shown.at(-1)
    const hasMore = rows.length > paging.limit && last !== undefined
    const nextCursor = hasMore ? sign(key, { value: valueOf(last), id: last.id, query: paging.query }) : null
    return { data: shown.map(show), page: { limit: paging.limit, nextCursor, hasMore } }
  },
})

function read(key: KeyObject, cursor: string, query: string) {
  const position = verify(key, cursor)
  if (!isPosition(position)) throw invalidCursor()
  if (position.query === query) return position
  throw new Fault('cursor_mismatch', 'Send the cursor with the same filter and sort as the query that gave it.')
}

/** The signature proves that a cursor is ours, and not that this release made it. */
function isPosition(claim: unknown): claim is Position {
  const { value, id, query, ...rest } = (claim ?? {}) as Readonly<Record<string, unknown>>
  return [value, id, query].every((each) => typeof each === 'string') && Object.keys(rest).length === 0
}

export const invalidCursor = (): Fault =>
  new Fault('invalid_cursor', 'Send `page.nextCursor` of an earlier answer, unchanged.')

type Range = Record<string, unknown>

/** Prisma's conditions for the rows of this page, one more than it shows. */
export function keyset({ field, descending, after, limit }: Paging) {
  const order = descending ? ('desc' as const) : ('asc' as const)
  return {
    where: after === null ? {} : beyond(field, descending ? 'lt' : 'gt', after),
    orderBy: [{ [field]: order }, { id: order }],
    take: limit + 1,
  }
}

// The first condition is what an index can start at; the second breaks ties by id.
function beyond(field: string, past: 'lt' | 'gt', after: { value: string; id: string }): Range {
  const value = field.endsWith('At') ? new Date(after.value) : after.value
  return {
    AND: [{ [field]: { [`${past}e`]: value } }, { OR: [{ [field]: { [past]: value } }, { id: { [past]: after.id } }] }],
  }
}
