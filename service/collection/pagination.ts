// Keyset pages of every list. A cursor holds the last row's sort value and id and a hash of the query that it belongs
// to, signed: a cursor that was tampered with, or carried to another query, is refused. Rows are compared by all sort
// values and then by id, so that no two rows are equal: as conditions of Prisma for the lists of a model, which sort by
// one field (`keyset`), and as SQL for those of a collection (`pageOf`).
import type { KeyObject } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { pageItemsDefault } from '#contract/pagination.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { sign, verify } from '#runtime/sealing-and-signing.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { canonicalHash } from '../text/json.ts'
import type { Sort, Fields } from './definition.ts'
import { firstId, lastId } from './text-matching.ts'

/** A list reads one row more than it shows: that one tells whether there is a next page. */
export const rowsFor = (limit: number): number => limit + 1
export const cutAt = <R>(rows: readonly R[], limit: number) => ({
  shown: rows.slice(0, limit),
  hasMore: rows.length > limit,
})

/** The content of a cursor. */
type CursorContent = { readonly value: string; readonly id: string; readonly query: string }

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
      after: cursor === undefined ? null : readCursor(key, cursor, query),
      query,
    }
  },

  page<R extends { readonly id: string }, T>(
    rows: readonly R[],
    paging: Paging,
    valueOf: (row: R) => string,
    show: (row: R) => T,
    /** The id of the last row that was looked at, where that was not the last one there is. */
    lookedAt: string | null = null,
  ) {
    const { shown, hasMore: isFull } = cutAt(rows, paging.limit)
    const last = shown.at(-1)
    const end = isFull && last ? { value: valueOf(last), id: last.id } : null
    const next = end ?? (lookedAt === null ? null : { value: lookedAt, id: lookedAt })
    const nextCursor = next === null ? null : sign(key, { ...next, query: paging.query })
    return { data: shown.map(show), page: { limit: paging.limit, nextCursor, hasMore: next !== null } }
  },
})

function readCursor(key: KeyObject, cursor: string, query: string) {
  const content = verify(key, cursor)
  if (content === undefined) throw invalidCursor()
  if (!isCursorContent(content)) throw outdatedCursor()
  if (content.query === query) return content
  throw new Fault('cursor_mismatch', 'Send the cursor with the same filter and sort as the query that returned it.')
}

/**
 * The signature proves that a cursor is ours, and not that this release made it: another one may say more, or have said
 * it otherwise.
 */
function isCursorContent(claim: unknown): claim is CursorContent {
  const { value, id, query } = (claim ?? {}) as Readonly<Record<string, unknown>>
  return [value, id, query].every((each) => typeof each === 'string')
}

export const invalidCursor = (): Fault =>
  new Fault('invalid_cursor', 'Send `page.nextCursor` of an earlier response, unchanged.')

/** For a cursor of ours whose content this release cannot read. */
export const outdatedCursor = (): Fault =>
  new Fault(
    'cursor_outdated',
    'The cursor was created before the last update of this installation. Start at the first page.',
  )

type ModelCondition = Record<string, unknown>

/** Returns Prisma's conditions for the rows of this page of a model, one more than it shows. */
export function keyset({ field, descending, after, limit }: Paging) {
  const order = descending ? ('desc' as const) : ('asc' as const)
  return {
    where: after === null ? {} : beyondOne(field, descending ? 'lt' : 'gt', after),
    orderBy: [{ [field]: order }, { id: order }],
    take: rowsFor(limit),
  }
}

/** The same for rows that have numbers, of which no two are equal: one sort value is enough. */
export function keysetOfNumbers({ descending, after, limit }: Paging) {
  return {
    where: after === null ? {} : { number: { [descending ? 'lt' : 'gt']: Number(after.value) } },
    orderBy: { number: descending ? ('desc' as const) : ('asc' as const) },
    take: rowsFor(limit),
  }
}

// The first condition is what an index can start at; the second breaks ties by id.
function beyondOne(field: string, past: 'lt' | 'gt', after: { value: string; id: string }): ModelCondition {
  const value = field.endsWith('At') ? new Date(after.value) : after.value
  return {
    AND: [{ [field]: { [`${past}e`]: value } }, { OR: [{ [field]: { [past]: value } }, { id: { [past]: after.id } }] }],
  }
}

/** Sorts a column of names as people would, whatever the locale of the database. */
export const byName = (field: string): Sort => ({ field, sql: `t.${field} COLLATE name_order`, type: 'text' })

/** Sorts a column of days. An object without one comes last, whatever the direction: each has an index of its own. */
export const byDay = (field: string, column: string): Sort => ({
  field,
  type: 'date',
  sql: `coalesce(t.${column}, 'infinity')`,
  empty: 'infinity',
  whenDescending: { sql: `coalesce(t.${column}, '-infinity')`, empty: '-infinity' },
})

/** Sorts a column of money by its number, whatever the currency. An object without an amount comes last. */
export const byAmount = (field: string, column: string): Sort => {
  const number = `(t.${column} ->> 'amount')::numeric`
  return {
    field,
    member: 'amount',
    type: 'numeric',
    sql: `coalesce(${number}, 'Infinity')`,
    empty: 'Infinity',
    whenDescending: { sql: `coalesce(${number}, '-Infinity')`, empty: '-Infinity' },
  }
}

/** Sorts a column by the order of `ranks`, which are all the values that it can hold. */
export const ranked = (field: string, column: string, ranks: readonly string[]): Sort => ({
  field,
  ranks,
  type: 'int',
  // The expression is that of the index.
  sql: `array_position('{${ranks.join()}}'::text[], t.${column})`,
})

/** The sort values and the id of the last row that was shown. */
export type Position = { readonly values: readonly string[]; readonly id: string }
export type SortKey = Sort & { readonly descending: boolean }

/** The keys of a `sort` such as `['-updatedAt', 'name']`. Ids break ties, in the direction of the last key. */
export function keysOf(sorts: Readonly<Record<string, Sort>>, asked: readonly string[]): SortKey[] {
  const keys = asked.map((name) => ({ sort: sorts[name.replace('-', '')], descending: name.startsWith('-') }))
  if (new Set(keys.map(({ sort }) => sort)).size < keys.length) {
    refuseParameter('sort', 'not_unique', 'Each field can stand once.')
  }
  return keys.flatMap(({ sort, descending }) =>
    sort === undefined ? [] : [{ ...sort, ...(descending && sort.whenDescending), descending }],
  )
}

/** The limit is written into the statement and is no parameter: query plans depend on it. */
export const pageOf = (where: readonly Prisma.Sql[], keys: readonly SortKey[], paging: Paging) => ({
  where: Prisma.join([...where, ...position(keys, paging)], ' AND '),
  tail: Prisma.sql`ORDER BY ${orderBy(keys)} LIMIT ${Prisma.raw(String(rowsFor(paging.limit)))}`,
})

function position(keys: readonly SortKey[], paging: Paging): Prisma.Sql[] {
  const start = startOf(keys, paging)
  return start === null ? [] : [beyond(keys, start.values, start.id)]
}

export function startOf(keys: readonly SortKey[], { after }: Paging): Position | null {
  if (after === null) return null
  const values = valueOf(after.value)
  if (Array.isArray(values) && values.length === keys.length) return { values: values.map(String), id: after.id }
  throw outdatedCursor()
}

/** Undefined for text of another form. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Before the objects in which the field of the first key is empty; null for a field that is never empty. */
export const startOfEmpty = ({ empty, descending }: SortKey): Position | null =>
  empty === undefined ? null : { values: [empty], id: descending ? lastId : firstId }

const orderBy = (keys: readonly SortKey[]): Prisma.Sql => order([...keys, idKey(keys)])

const order = (keys: readonly ComparedColumn[]): Prisma.Sql =>
  Prisma.raw(keys.map(({ sql, descending }) => `${sql} ${descending ? 'DESC' : 'ASC'}`).join(', '))

/** The sort values of a row, as a cursor holds them. */
export const positionOf = (keys: readonly SortKey[], row: Fields): string[] =>
  keys.map(({ field, member, empty = '', ranks }) => {
    const value = member === undefined ? row[field] : (row[field] as Fields | null)?.[member]
    return ranks === undefined ? textOf(value ?? empty) : String(ranks.indexOf(String(value)) + 1)
  })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The condition for rows after the one with these values and this id. */
function beyond(keys: readonly SortKey[], values: readonly string[], id: string): Prisma.Sql {
  const all = [...keys, idKey(keys)]
  const bounds = [...values, id]
  const same = all.every(({ descending }) => descending === all[0]?.descending)
  if (same) return beyondAll(all, bounds)
  const steps = all.map((key, n) =>
    Prisma.join([...all.slice(0, n).map((each, m) => equal(each, bounds[m])), past(key, bounds[n])], ' AND '),
  )
  const first = all[0]
  // An index can start at the first key's value; the steps leave out what lies before the position.
  const start =
    first === undefined
      ? Prisma.sql`TRUE`
      : Prisma.sql`${Prisma.raw(`${first.sql} ${first.descending ? '<=' : '>='}`)} ${cast(first, bounds[0])}`
  return Prisma.sql`(${start} AND (${Prisma.join(
    steps.map((step) => Prisma.sql`(${step})`),
    ' OR ',
  )}))`
}

/**
 * Selects the next `count` rows of a table in the order of one key, whatever else is asked of them. The planner is told
 * where the workspace begins and ends in the index, and does not guess how many rows that is.
 */
export function nextInOrder(
  table: string,
  workspaceId: string,
  key: SortKey,
  after: Position | null,
  count: number,
): Prisma.Sql {
  const all = [{ sql: 't.workspace_id', type: 'uuid', descending: key.descending }, key, idKey([key])]
  // Of two beginnings, the index starts at the one that stands first.
  const start = after === null ? Prisma.sql`TRUE` : beyondAll(all, [workspaceId, ...after.values, after.id])
  return Prisma.sql`SELECT t.* FROM ${Prisma.raw(table)} t WHERE ${start}
    AND (t.workspace_id, t.id) BETWEEN (${workspaceId}::uuid, ${firstId}::uuid) AND (${workspaceId}::uuid, ${lastId}::uuid)
    ORDER BY ${order(all)} LIMIT ${Prisma.raw(String(count))}`
}

/** All in one direction. */
function beyondAll(all: readonly ComparedColumn[], bounds: readonly string[]): Prisma.Sql {
  const past = Prisma.raw(all[0]?.descending ? '<' : '>')
  const bound = Prisma.join(all.map((key, n) => cast(key, bounds[n])))
  return Prisma.sql`(${Prisma.raw(all.map(({ sql }) => sql).join(', '))}) ${past} (${bound})`
}

type ComparedColumn = Pick<SortKey, 'sql' | 'descending'> & { readonly type: string }

const idKey = (keys: readonly SortKey[]): ComparedColumn => ({
  sql: 't.id',
  type: 'uuid',
  descending: keys.at(-1)?.descending ?? false,
})
const cast = ({ type }: ComparedColumn, value = ''): Prisma.Sql => Prisma.sql`${value}::text::${Prisma.raw(type)}`
const equal = (key: ComparedColumn, value?: string): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(key.sql)} = ${cast(key, value)}`
const past = (key: ComparedColumn, value?: string): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(`${key.sql} ${key.descending ? '<' : '>'}`)} ${cast(key, value)}`
