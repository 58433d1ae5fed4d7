// Order and position of a page. Rows are compared by all sort values and then by id, so that every row has one place.
import { Prisma } from '#prisma/generated/client.ts'
import type { Fields, Sort } from './definition.ts'
import { refuseParameter } from '../faults/field-refusals.ts'

export type Key = Sort & { readonly descending: boolean }

/** `['-updatedAt', 'name']`; ids break ties in the direction of the last. */
export function keysOf(sorts: Readonly<Record<string, Sort>>, asked: readonly string[]): Key[] {
  const keys = asked.map((name) => ({ sort: sorts[name.replace('-', '')], descending: name.startsWith('-') }))
  if (new Set(keys.map(({ sort }) => sort)).size < keys.length) {
    refuseParameter('sort', 'not_unique', 'Each field can stand once.')
  }
  return keys.flatMap(({ sort, descending }) => (sort === undefined ? [] : [{ ...sort, descending }]))
}

export function orderBy(keys: readonly Key[]): Prisma.Sql {
  const terms = [...keys, idKey(keys)].map(({ sql, descending }) => `${sql} ${descending ? 'DESC' : 'ASC'}`)
  return Prisma.raw(terms.join(', '))
}

/** The sort values of the last row that was shown. */
export const positionOf = (keys: readonly Key[], row: Fields): string[] =>
  keys.map(({ field, empty = '', ranks }) =>
    ranks === undefined ? textOf(row[field] ?? empty) : String(ranks.indexOf(String(row[field])) + 1),
  )

/** By the order in which the values stand, for a column that holds nothing else. */
export const ranked = (field: string, column: string, ranks: readonly string[]): Sort => ({
  ...{ field, ranks, type: 'int' },
  // The expression is that of the index.
  sql: `array_position('{${ranks.join()}}'::text[], t.${column})`,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Rows after that one. One comparison of rows where all go the same way: an index can start there. */
export function beyond(keys: readonly Key[], values: readonly string[], id: string): Prisma.Sql {
  const all = [...keys, idKey(keys)]
  const bounds = [...values, id]
  const same = all.every(({ descending }) => descending === all[0]?.descending)
  if (same) {
    const past = Prisma.raw(all[0]?.descending ? '<' : '>')
    const bound = Prisma.join(all.map((key, n) => cast(key, bounds[n])))
    return Prisma.sql`(${Prisma.raw(all.map(({ sql }) => sql).join(', '))}) ${past} (${bound})`
  }
  const steps = all.map((key, n) =>
    Prisma.join([...all.slice(0, n).map((each, m) => equal(each, bounds[m])), past(key, bounds[n])], ' AND '),
  )
  const first = all[0]
  // What an index can start at; the steps say the rest.
  const start =
    first === undefined
      ? Prisma.sql`TRUE`
      : Prisma.sql`${Prisma.raw(`${first.sql} ${first.descending ? '<=' : '>='}`)} ${cast(first, bounds[0])}`
  return Prisma.sql`(${start} AND (${Prisma.join(
    steps.map((step) => Prisma.sql`(${step})`),
    ' OR ',
  )}))`
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
