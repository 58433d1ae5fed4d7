// What the collections differ in. Everything they have in common (list.ts, get.ts, create.ts …) reads this value.
import type { TProperties } from 'typebox'
import type { CollectionSegment } from '#contract/collection/collection.ts'
import type { CustomFieldTarget } from '#contract/custom-field-schema.ts'
import type { Event } from '#contract/event-envelope.ts'
import type { Actor } from '#contract/fields.ts'
import type { Scope } from '#contract/scope.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Origin } from '../object-versions/bookkeeping-fields.ts'
import { columnOf } from './columns.ts'
import type { Filter } from './filters.ts'

/** What every object of a collection carries. */
export type Resource = {
  readonly id: string
  readonly object: string
  readonly workspaceId: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: Actor
  readonly updatedBy: Actor
  readonly deletedAt: string | null
  readonly externalSource: string | null
  readonly externalId: string | null
}
export type Fields = Readonly<Record<string, unknown>>

/** A handler of a collection, whichever it is: input and output are checked against the operation. */
export type CollectionHandler = (given: Fields, call: Call) => Promise<unknown>

/** A list of values that is kept in a table of its own: `owner` and `column` are its columns. */
export type Link = {
  readonly field: string
  readonly table: string
  readonly owner: string
  readonly column: string
  readonly type: 'uuid' | 'text'
}
/** A field that names objects of another table, which must be there and not deleted. */
export type Reference = { readonly field: string; readonly table: string; readonly condition?: string }

/**
 * `sql` is what rows are ordered by; `empty` stands for a null, at the end when ascending. Where values have an order of
 * their own, `ranks` holds them in it and `sql` gives their places, from 1 on.
 */
export type Sort = {
  readonly field: string
  readonly sql: string
  readonly type: 'timestamptz' | 'text' | 'date' | 'float8' | 'int'
  readonly empty?: string
  readonly ranks?: readonly string[]
}
export type Expansion = {
  readonly scope: Scope
  /** For all objects of a page at once; what it gives is asked for each: undefined where its kind has no such thing. */
  readonly load: (call: Call, shown: readonly Fields[]) => Promise<(object: Fields) => unknown>
}

export type Definition<R extends Resource, S extends CollectionSegment = CollectionSegment> = {
  readonly segment: S
  readonly noun: string
  readonly object: R['object']
  readonly table: string
  /** The column that says what it is called: `name` or `title`; and the text beside it. */
  readonly titleColumn: string
  readonly textColumn: string
  /** The contract's fields, in their order; of all kinds together where there are kinds. */
  readonly fields: TProperties
  readonly links: readonly Link[]
  /** An inner join that hides what must not be seen. */
  readonly join?: string
  readonly references: readonly Reference[]
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: Readonly<Record<string, Sort>>
  readonly expansions: Readonly<Record<string, Expansion>>
  readonly events: Readonly<Record<'created' | 'updated' | 'deleted' | 'restored', Event>>
  /** Large fields: lists leave them out unless they are asked for by name, events and batches always. */
  readonly onlyOnRequest?: readonly string[]
  readonly customFieldTargets?: (object: Fields) => readonly CustomFieldTarget[]
  /** A new object from what was given. Pure. */
  readonly draft: (input: Fields, origin: Origin) => R
  /** The object with the patch; pure. Throws where the state or the values do not allow it. */
  readonly applyPatch: (before: R, patch: Fields, origin: Origin) => R
  /** What only the database can tell: draws numbers, looks at the objects around. Gives what is to be written. */
  readonly resolve?: (next: R, before: R | null, call: Call, given: Fields) => Promise<R>
  /** What else changes with it, once it is written. */
  readonly afterUpdate?: (after: R, before: R, call: Call) => Promise<void>
  /** A field that the insert itself settles where the object has it empty, as SQL. */
  readonly generatedOnInsert?: { readonly field: keyof R & string; readonly value: (next: R) => Prisma.Sql }
  /** What a key or identifier, one that it has or had, leads to: a condition over `t`. `q` finds it before all others. */
  readonly matchIdentifier?: (q: string, workspaceId: string) => Prisma.Sql
  /** What `q` also finds, beside the words: a condition over `t`. */
  readonly extraMatch?: (q: string, workspaceId: string) => Prisma.Sql
  /** The id of the object that has taken the place of a deleted one. */
  readonly successorId?: (gone: R) => string | null
  /** What is left of a deleted one once it is purged: nothing that somebody wrote, no value that others may want. Pure. */
  readonly erased: (gone: R) => R
  /** What else lets go of values then. */
  readonly afterPurge?: (gone: R, call: Call) => Promise<void>
  /** An object of one kind from a row of all kinds. */
  readonly narrow?: (row: Fields) => R
}

export type Collection<R extends Resource = Resource, S extends CollectionSegment = CollectionSegment> = Definition<
  R,
  S
> & {
  readonly columns: readonly string[]
  readonly selected: Prisma.Sql
  readonly selectedInLists: Prisma.Sql
  readonly from: Prisma.Sql
  readonly fromRow: (row: Fields) => R
  /** The object without its large fields. */
  readonly brief: (object: R) => Fields
}

export function define<R extends Resource, const S extends CollectionSegment>(
  definition: Definition<R, S>,
): Collection<R, S> {
  const linked = new Set(definition.links.map(({ field }) => field))
  const plain = Object.keys(definition.fields).filter((field) => field !== 'object' && !linked.has(field))
  const parts: Part[] = [
    ...plain.map((field) => ({ field, sql: `t.${columnOf(field)}` })),
    ...definition.links.map((link) => ({ field: link.field, sql: linkSql(link) })),
  ]
  const withheld = new Set(definition.onlyOnRequest ?? [])
  return {
    ...definition,
    columns: plain.map(columnOf),
    selected: selection(parts),
    selectedInLists: selection(parts.filter(({ field }) => !withheld.has(field))),
    from: Prisma.raw(`${definition.table} t ${definition.join ?? ''}`),
    fromRow: rowReader(definition),
    brief: (object) => without(object, withheld),
  }
}

const without = (object: Fields, fields: ReadonlySet<string>): Fields =>
  fields.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([field]) => !fields.has(field)))

type Part = { readonly field: string; readonly sql: string }

const selection = (parts: readonly Part[]): Prisma.Sql =>
  Prisma.raw(parts.map(({ field, sql }) => `${sql} AS "${field}"`).join(', '))

const linkSql = ({ table, owner, column }: Link): string =>
  `ARRAY(SELECT l.${column} FROM ${table} l
     WHERE l.workspace_id = t.workspace_id AND l.${owner} = t.id ORDER BY l.position)`

type Format = { readonly format?: string; readonly anyOf?: readonly Format[] }
const formatOf = ({ format, anyOf = [] }: Format): string | undefined =>
  format ?? anyOf.map(formatOf).find((each) => each !== undefined)

/** The database gives dates and times as Date; the contract has them as text. */
function rowReader<R extends Resource>({ fields, object, narrow }: Definition<R>): (row: Fields) => R {
  const formats = Object.entries(fields).map(([field, schema]) => ({ field, format: formatOf(schema as Format) }))
  return (row) => {
    const read: Record<string, unknown> = {}
    for (const { field, format } of formats) {
      const value = row[field]
      if (field === 'object') read[field] = object
      else if (value instanceof Date) read[field] = format === 'date' ? dayOf(value) : value.toISOString()
      else if (value !== undefined) read[field] = value
    }
    // The select list names every field, and the table's checks allow no other values.
    return (narrow === undefined ? read : narrow(read)) as R
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
