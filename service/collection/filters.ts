// Query parameters as SQL conditions over the table `t`.
import { Prisma } from '#prisma/generated/client.ts'
import { bare, choiceOf } from '../lists/list-values.ts'

type Query = Readonly<Record<string, unknown>>

export type Filter = {
  /** The values may hold `me`. */
  readonly ofMembers?: true
  /** All of the values are wanted: none of them can be negated. */
  readonly all?: true
  /** `input` is the whole query, for a filter whose meaning another parameter can change. */
  readonly condition: (value: unknown, input: Query) => Prisma.Sql
}

type Cast = 'uuid' | 'text'

/** A column that holds one of the values. */
export const columnIn = (column: string, cast: Cast = 'text'): Filter => ({
  condition: (given) => {
    const { values, negated } = choice(given)
    const name = Prisma.raw(`t.${column}`)
    const type = Prisma.raw(`${cast}[]`)
    // With one value an index gives the rows in the order of its next column; with several it cannot.
    if (values.length === 1 && !negated) return Prisma.sql`${name} = ${values[0]}::text::${Prisma.raw(cast)}`
    return negated
      ? Prisma.sql`(${name} IS NULL OR ${name} <> ALL(${values}::${type}))`
      : Prisma.sql`${name} = ANY(${values}::${type})`
  },
})

/** A link table that holds one of the values. */
export const linkIn = (table: string, owner: string, column: string, cast: Cast = 'uuid'): Filter => ({
  condition: (given) => {
    const { values, negated } = choice(given)
    const exists = Prisma.sql`EXISTS (SELECT FROM ${Prisma.raw(table)} l
      WHERE l.workspace_id = t.workspace_id AND ${Prisma.raw(`l.${owner} = t.id AND l.${column}`)} = ANY(${values}::${Prisma.raw(`${cast}[]`)}))`
    return negated ? Prisma.sql`NOT ${exists}` : exists
  },
})

/** An array column that holds any of the values. */
export const arrayHasAny = (column: string): Filter => ({
  condition: (given) => {
    const { values, negated } = choice(given)
    const overlaps = Prisma.sql`${Prisma.raw(`t.${column}`)} && ${values}::text[]`
    return negated ? Prisma.sql`NOT (${overlaps})` : overlaps
  },
})

export const arrayHasAll = (column: string): Filter => ({
  all: true,
  condition: (given) => Prisma.sql`${Prisma.raw(`t.${column}`)} @> ${textsOf(given).map(bare)}::text[]`,
})

export const after = (column: string): Filter => ({
  condition: (value) => Prisma.sql`${Prisma.raw(`t.${column}`)} > ${value}::text::timestamptz`,
})

export const before = (column: string): Filter => ({
  condition: (value) => Prisma.sql`${Prisma.raw(`t.${column}`)} < ${value}::text::timestamptz`,
})

/** What has no due date is never due. The expression is that of the sort and of its index. */
export const due = (past: '>' | '<'): Filter => ({
  condition: (day) => Prisma.sql`(${Prisma.raw(`t.due_date IS NOT NULL AND ${dueDate} ${past}`)} ${day}::text::date)`,
})
export const dueDate = `coalesce(t.due_date, 'infinity')`

/** A condition that holds unless the flag is set, or another parameter asks for what it leaves out. */
export const unless = (condition: string, isAskedFor: (input: Query) => boolean = () => false): Filter => ({
  condition: (flag, input) => (flag === true || isAskedFor(input) ? Prisma.sql`TRUE` : Prisma.raw(condition)),
})

export const ofMembers = (filter: Filter): Filter => ({ ...filter, ofMembers: true })

const textsOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [String(given)])

const choice = (given: unknown) => choiceOf(textsOf(given))
