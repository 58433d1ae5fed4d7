// Order and start of a page (keyset pagination). Rows are compared by all sort values and then by id, so that no two
// rows are equal.
import { Prisma } from '#prisma/generated/client.ts'
import { firstId, lastId } from '../lists/search-terms.ts'
import type { Sort } from './definition.ts'
import type { Fields } from './resource.ts'
import { refuseParameter } from '../faults/field-refusals.ts'

/** The sort values and the id of the last row that was shown. */
export type Position = { readonly values: readonly string[]; readonly id: string }
export type Key = Sort & { readonly descending: boolean }

/** The keys of a `sort` such as `['-updatedAt', 'name']`. Ids break ties, in the direction of the last key. */
export function keysOf(sorts: Readonly<Record<string, Sort>>, asked: readonly string[]): Key[] {
  const keys = asked.map((name) => ({ sort: sorts[name.replace('-', '')], descending: name.startsWith('-') }))
  if (new Set(keys.map(({ sort }) => sort)).size < keys.length) {
    refuseParameter('sort', 'not_unique', 'Each field can stand once.')
  }
  return keys.flatMap(({ sort, descending }) =>
    sort === undefined ? [] : [{ ...sort, ...(descending && sort.whenDescending), descending }],
  )
}

export const orderBy = (keys: readonly Key[]): Prisma.Sql => order([...keys, idKey(keys)])

const order = (keys: readonly Compared[]): Prisma.Sql =>
  Prisma.raw(keys.map(({ sql, descending }) => `${sql} ${descending ? 'DESC' : 'ASC'}`).join(', '))

/** The sort values of a row, as a cursor holds them. */
export const positionOf = (keys: readonly Key[], row: Fields): string[] =>
  keys.map(({ field, empty = '', ranks }) =>
    ranks === undefined ? textOf(row[field] ?? empty) : String(ranks.indexOf(String(row[field])) + 1),
  )

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

/** Sorts a column by the order of `ranks`, which are all the values that it can hold. */
export const ranked = (field: string, column: string, ranks: readonly string[]): Sort => ({
  ...{ field, ranks, type: 'int' },
  // The expression is that of the index.
  sql: `array_position('{${ranks.join()}}'::text[], t.${column})`,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The condition for rows after the one with these values and this id. */
export function beyond(keys: readonly Key[], values: readonly string[], id: string): Prisma.Sql {
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
  key: Key,
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
function beyondAll(all: readonly Compared[], bounds: readonly string[]): Prisma.Sql {
  const past = Prisma.raw(all[0]?.descending ? '<' : '>')
  const bound = Prisma.join(all.map((key, n) => cast(key, bounds[n])))
  return Prisma.sql`(${Prisma.raw(all.map(({ sql }) => sql).join(', '))}) ${past} (${bound})`
}

type Compared = Pick<Key, 'sql' | 'descending'> & { readonly type: string }

const idKey = (keys: readonly Key[]): Compared => ({
  sql: 't.id',
  type: 'uuid',
  descending: keys.at(-1)?.descending ?? false,
})
const cast = ({ type }: Compared, value = ''): Prisma.Sql => Prisma.sql`${value}::text::${Prisma.raw(type)}`
const equal = (key: Compared, value?: string): Prisma.Sql => Prisma.sql`${Prisma.raw(key.sql)} = ${cast(key, value)}`
const past = (key: Compared, value?: string): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(`${key.sql} ${key.descending ? '<' : '>'}`)} ${cast(key, value)}`
