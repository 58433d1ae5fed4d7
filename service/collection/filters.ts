// Query parameters as SQL conditions over the table `t`.
import { Prisma } from '#prisma/generated/client.ts'
import { bare, choiceOf } from '../lists/list-values.ts'
import type { Match } from '../lists/search-terms.ts'

type Query = Readonly<Record<string, unknown>>

export type Filter = {
  /** A row must have all of the values, so none of them can be negated. */
  readonly all?: true
} & (
  | {
      /** Returns the condition for the parameter's value. `input` is the whole query, which may hold other parameters. */
      readonly condition: (value: unknown, input: Query) => Prisma.Sql
      readonly linked?: undefined
    }
  | { readonly linked: (value: unknown, workspaceId: string) => Linked }
)

/** Rows by what a link table says of them. */
type Linked = Match & {
  /** Selects the ids of the rows. Null where those are asked for that have no such link. */
  readonly ids: Prisma.Sql | null
}

type Cast = 'uuid' | 'text'

/** Rows whose column holds one of the values. */
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

/** Rows for which a link table holds one of the values. */
export const linkIn = (table: string, owner: string, column: string, cast: Cast = 'uuid') => ({
  linked: (given: unknown, workspaceId: string): Linked => {
    const { values, negated } = choice(given)
    const links = Prisma.sql`FROM ${Prisma.raw(table)} l WHERE l.workspace_id = ${workspaceId}::uuid
      AND ${Prisma.raw(`l.${column}`)} = ANY(${values}::${Prisma.raw(`${cast}[]`)})`
    const id = Prisma.raw(`l.${owner}`)
    const exists = Prisma.sql`EXISTS (SELECT ${links} AND ${id} = t.id)`
    // Not as a join, whose order the planner would choose without knowing how many rows there are.
    if (negated)
      return { ids: null, all: Prisma.sql`(${exists}) IS NOT TRUE`, onTheWay: Prisma.sql`(${exists}) IS NOT TRUE` }
    return { ids: Prisma.sql`SELECT ${id} AS id ${links}`, all: exists, onTheWay: Prisma.sql`(${exists}) IS TRUE` }
  },
})

/** Rows whose array column holds any of the values. */
export const arrayHasAny = (column: string): Filter => ({
  condition: (given) => {
    const { values, negated } = choice(given)
    const overlaps = Prisma.sql`${Prisma.raw(`t.${column}`)} && ${values}::text[]`
    return negated ? Prisma.sql`NOT (${overlaps})` : overlaps
  },
})

/** Rows whose array column holds all of the values. */
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

/** A row without a due date matches neither direction. The expression is that of the sort and of its index. */
export const due = (past: '>' | '<'): Filter => ({
  condition: (day) => Prisma.sql`(${Prisma.raw(`t.due_date IS NOT NULL AND ${dueDate} ${past}`)} ${day}::text::date)`,
})
const dueDate = `coalesce(t.due_date, 'infinity')`

/** Applies the condition unless the flag is true, or another parameter asks for the rows that it leaves out. */
export const unless = (condition: string, isAskedFor: (input: Query) => boolean = () => false): Filter => ({
  condition: (flag, input) => (flag === true || isAskedFor(input) ? Prisma.sql`TRUE` : Prisma.raw(condition)),
})

const textsOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [String(given)])

const choice = (given: unknown) => choiceOf(textsOf(given))
