// A collection: its definition, with table, fields, filters, sorts, events, and the functions that are its own
// (README.md says when each is called), and what `define` makes of it for the handlers: the SQL that selects its rows,
// and the reader that turns a row into an object.
import type { TProperties } from 'typebox'
import type { Event } from '#contract/event.ts'
import type { Author, Imported } from '#contract/imports.ts'
import type { CollectedSegment, CollectionSegment, Scope } from '#contract/scopes.ts'
import type { Actor, ExternalIds } from '#contract/shared-fields.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { About, Call, Db } from '../execution/call.ts'
import type { ChangeContext } from '../execution/system-fields.ts'
import type { Match } from './text-matching.ts'

export type FilterQuery = Readonly<Record<string, unknown>>

export type Filter = {
  /** A row must have all of the values, so none of them can be negated. */
  readonly all?: true
  /** `none` and `any` stand for no value, but for an empty field and for one that is not. */
  readonly mayBeEmpty?: true
} & (
  | {
      /**
       * Returns the condition for the parameter's value. `input` is the whole query, which may hold other parameters.
       */
      readonly condition: (value: unknown, input: FilterQuery) => Prisma.Sql
      readonly linked?: undefined
    }
  | {
      readonly linked: (value: unknown, workspaceId: string, input: FilterQuery) => LinkedRows
      /** Returns what is looked for in place of the value, where that depends on the workspace. */
      readonly prepare?: (value: unknown, call: Pick<Call, 'db' | 'workspaceId'>) => Promise<unknown>
    }
)

/** Rows by what a link table says of them. */
export type LinkedRows = Match & {
  /** Selects the ids of the rows. Null where those are asked for that have no such link. */
  readonly ids: Prisma.Sql | null
}

/** A list of values that is kept in a table of its own, with the columns `owner`, `column` and `position`. */
export type Link = {
  readonly field: string
  readonly table: string
  /** The column with the id of the object that has the list. */
  readonly owner: string
  /** The column with the value. */
  readonly column: string
  readonly type: 'uuid' | 'text'
  /**
   * For values that are compared otherwise than as they are written: `column` holds what this returns, and a further
   * column, `written`, the value itself where it differs.
   */
  readonly compared?: (value: string) => string
  /** For values that are unique otherwise: the column `shared` says that others may have those of this object. */
  readonly isShared?: (object: Fields) => boolean
}

/** A field with ids of objects in `table`, which must exist and not be deleted. `condition` is SQL over its row `r`. */
export type Reference = { readonly field: string; readonly table: string; readonly condition?: string }

/** An order of the list. */
export type Sort = {
  readonly field: string
  /** What rows are ordered by. */
  readonly sql: string
  readonly type: 'timestamptz' | 'text' | 'date' | 'float8' | 'int' | 'numeric'
  /** The member to order by, if the field is an object. */
  readonly member?: string
  /** What `sql` gives where the field is null: it comes last, so that a descending order has others. */
  readonly empty?: string
  readonly whenDescending?: { readonly sql: string; readonly empty: string }
  /** The values in their order, when that is not their own: `sql` then gives a value's rank, counted from 1. */
  readonly ranks?: readonly string[]
}

/**
 * What a count groups by: a value as text, of `t` or of what `join` adds to it. With `join` an object may be in several
 * groups.
 */
export type Group = { readonly value: Prisma.Sql; readonly join: Prisma.Sql | null }

/** How the custom fields of objects are checked, and lists filtered by them: `customFieldsFor` makes it. */
export type CustomFieldRules = {
  /**
   * Returns the values to be written. `before` is null for a new object, `patch` undefined when the caller sent none.
   */
  readonly resolve: (object: Fields, before: Fields | null, patch: Fields | undefined, call: Call) => Promise<Fields>
  /** Returns the group of a count by the field `key`. `query` holds the filters of the count. */
  readonly group: (key: string, alias: string, query: Fields, call: Call) => Promise<Group>
  /** Returns SQL over the table `t` for each filter. `query` holds the other filters. */
  readonly conditions: (table: string, query: Fields, filter: unknown, call: Call) => Promise<Prisma.Sql[]>
}

/** Related objects that `expand` adds. */
export type Expansion = {
  readonly scope: Scope
  /**
   * Loads the related objects of a whole page. The function it returns gives those of one object: undefined when its
   * kind has no such field.
   */
  readonly load: (call: Call, shown: readonly Fields[]) => Promise<(object: Fields) => unknown>
}

/** A handler of any collection. `execute` has checked the input, and checks the output, against the operation. */
export type CollectionHandler = (input: Fields, call: Call) => Promise<unknown>

export type Definition<R extends Resource, S extends CollectedSegment = CollectedSegment> = Shape<R, S> &
  Reading &
  Writing<R>

export type CollectionAction =
  | 'list'
  | 'get'
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'purge'
  | 'get-by-external-id'
  | 'upsert'
  | 'delete-by-external-id'
  | 'set-external-id'
  | 'remove-external-id'
  | 'batch'
  | 'count'

export type ChangeEvents = Readonly<Record<'created' | 'updated' | 'deleted' | 'restored', Event>>

/** A field whose value stands in several columns. `sql`, over `t`, puts it together; `valuesOf` takes it apart. */
type ComposedField<R> = {
  readonly field: keyof R & string
  readonly sql: string
  readonly columns: readonly string[]
  readonly valuesOf: (object: R) => Fields
}

/** Where the objects are kept, and what they look like. */
type Shape<R extends Resource, S extends CollectedSegment> = {
  readonly segment: S
  /** By their full names, so that a name out of a log line is found where its handler is bound. */
  readonly operations: { readonly [A in CollectionAction]: `${S}.${A}` } & { readonly history?: `${S}.history` }
  /** How an answer calls one object, such as `CRM entity`. */
  readonly noun: string
  readonly object: R['object']
  readonly table: string
  /** The column by which comments name one. Default: it has no comments. */
  readonly commentedAs?: 'projectId' | 'taskId' | 'crmEntityId'
  /** The contract's fields, in their order. Of a collection with several kinds: the fields of all kinds. */
  readonly fields: TProperties
  readonly links: readonly Link[]
  readonly references: readonly Reference[]
  readonly events: ChangeEvents | ((object: R) => ChangeEvents)
  /** What its events are about. Default: the object itself. */
  readonly about?: (object: R, call: Call) => Promise<About>
  /** Default: each field has a column of its own. */
  readonly composed?: ComposedField<R>
  /** Default: it has no custom fields. */
  readonly customFields?: CustomFieldRules
  /** How much of the quota of bytes an object takes. */
  readonly contentBytes?: (object: R) => number
  /** The object with the fields of its kind only, from the fields of all kinds. */
  readonly narrow?: (fields: Fields) => R
}

/** How objects are listed, searched and shown. SQL is written over the table's alias `t`. */
type Reading = {
  /** It belongs to a project, and is hidden while that is deleted. */
  readonly hiddenWithProject?: true
  /** The rows that the caller may read: no other is found in any way. Default: all. */
  readonly permitted?: string
  /**
   * The rows that are not hidden with what they belong to, as a condition for one row, and for lists and counts, which
   * read many. Lists with `includeDeleted` show the others as well.
   */
  readonly shown?: { readonly ofRow: string; readonly amongMany: (workspaceId: string) => Prisma.Sql }
  /** The columns that a search looks in; its title is what an object is called. */
  readonly titleColumn: string
  readonly textColumn: string
  /** What a hit of a search shows of one, as SQL over `t`. Default: null, and never archived. */
  readonly inSearch?: {
    readonly identifier?: string
    readonly kind?: string
    readonly status?: string
    readonly archived?: string
  }
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: Readonly<Record<string, Sort>>
  readonly expansions: Readonly<Record<string, Expansion>>
  /** Large fields. Lists show them only when `fields` names them; events and batches never show them. */
  readonly onlyOnRequest?: readonly string[]
  /** Selects the ids of objects with this key or identifier, former ones included. Searches rank them first. */
  readonly selectIdentified?: (q: string, workspaceId: string) => Prisma.Sql | null
  /** Selects the ids of objects that a search finds although their title and text do not match. */
  readonly selectExtra?: (q: string, call: Pick<Call, 'db' | 'workspaceId'>) => Promise<Prisma.Sql>
}

/** What happens to an object on its way into the table. */
type Writing<R extends Resource> = {
  /** Makes a new object of the input. Pure. Throws when the values do not allow it. */
  readonly draft: (input: Fields, origin: ChangeContext) => R
  /** Returns the object with the patch applied. Pure. Throws when its state or the values do not allow it. */
  readonly applyPatch: (before: R, patch: Fields, origin: ChangeContext) => R
  /** Checks the object against others in the database and returns it with what only the database knows. */
  readonly resolve?: (next: R, before: R | null, call: Call, given: Fields) => Promise<R>
  /** A field that the INSERT itself fills when the object has it empty. `value` is SQL. */
  readonly generatedOnInsert?: { readonly field: keyof R & string; readonly value: (next: R) => Prisma.Sql }
  /** Writes what other tables hold of a list of the object, when that list has changed. */
  readonly kept?: { readonly field: string; readonly write: (next: R, tx: Db) => Promise<void> }
  /** Changes what else follows from an update, once the row is written. */
  readonly afterUpdate?: (after: R, before: R, call: Call) => Promise<void>
  /** Returns what is left of a purged object: nothing that a person wrote, no value that another may want. Pure. */
  readonly erased: (deleted: R) => R
  /** The ids of objects that an upsert finds by the values that it gives to a field, deleted ones last. */
  readonly matching?: (match: string, given: Fields, call: Call) => Promise<readonly string[]>
  /** Releases values of a purged object that other tables hold. */
  readonly afterPurge?: (deleted: R, call: Call) => Promise<void>
}

export type Collection<R extends Resource = Resource, S extends CollectedSegment = CollectedSegment> = Definition<
  R,
  S
> & {
  /** The table's own columns: one for each field that is not a link, and the ids in other systems but the first. */
  readonly columns: readonly string[]
  /** The select list with all fields. */
  readonly selectAll: Prisma.Sql
  /** The select list without the fields that are only shown on request. */
  readonly selectBrief: Prisma.Sql
  /** The select list with those of the fields that the collection has. */
  readonly selectOnly: (fields: ReadonlySet<string>) => Prisma.Sql
  /** The table, as `t`, with the joins that hide what must not be seen. */
  readonly from: Prisma.Sql
  /** The same with what is hidden, as far as the caller may read it. */
  readonly fromAll: Prisma.Sql
  /** The object's values by the names of its columns. */
  readonly rowOf: (object: R) => Fields
  /** Reads rows that hold these of the fields; all, when none are named. */
  readonly rowReader: (only?: ReadonlySet<string>) => (row: Fields) => R
  /** The object without the fields that are only shown on request. */
  readonly brief: (object: R) => Fields
}

export function define<R extends Resource, const S extends CollectedSegment>(
  definition: Definition<R, S>,
): Collection<R, S> {
  const linked = new Set(definition.links.map(({ field }) => field))
  const { composed, table, permitted, shown } = definition
  const own = new Set(['object', 'externalIds', ...(composed === undefined ? [] : [composed.field])])
  const plain = Object.keys(definition.fields).filter((field) => !own.has(field) && !linked.has(field))
  const selected: SelectedField[] = [
    ...plain.map((field) => ({ field, sql: `t.${columnOf(field)}` })),
    { field: 'externalIds', sql: 'external_ids(t.external_source, t.external_id, t.other_external_ids)' },
    ...(composed === undefined ? [] : [composed]),
    ...definition.links.map((link) => ({ field: link.field, sql: linkedValues(link) })),
  ]
  const onRequest = new Set(definition.onlyOnRequest ?? [])
  return {
    ...definition,
    columns: [...plain.map(columnOf), 'other_external_ids', ...(composed?.columns ?? [])],
    rowOf: (object) =>
      asColumns({ ...object, otherExternalIds: object.externalIds.slice(1), ...composed?.valuesOf(object) }),
    selectAll: selectList(selected),
    selectBrief: selectList(selected.filter(({ field }) => !onRequest.has(field))),
    selectOnly: (fields) => selectList(selected.filter(({ field }) => fields.has(field))),
    from: Prisma.raw(
      `${table} t ${definition.hiddenWithProject ? shownProject : ''} ${whereAll([permitted, shown?.ofRow])}`,
    ),
    fromAll: Prisma.raw(`${table} t ${whereAll([permitted])}`),
    rowReader: (only) => rowReader(definition, only),
    brief: (object) => without(object, onRequest),
  }
}

/** The rows of which all conditions hold. */
const whereAll = (conditions: readonly (string | undefined)[]): string =>
  conditions
    .filter((condition) => condition !== undefined)
    .map((condition, n) => `JOIN LATERAL (SELECT WHERE ${condition}) held${n} ON TRUE`)
    .join(' ')

/** Not every object has a project. */
const shownProject = `LEFT JOIN project p ON p.workspace_id = t.workspace_id AND p.id = t.project_id
  JOIN LATERAL (SELECT WHERE p.deleted_at IS NULL) shown ON TRUE`

const without = (object: Fields, fields: ReadonlySet<string>): Fields =>
  fields.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([field]) => !fields.has(field)))

type SelectedField = { readonly field: string; readonly sql: string }

const selectList = (selected: readonly SelectedField[]): Prisma.Sql =>
  Prisma.raw(selected.map(({ field, sql }) => `${sql} AS "${field}"`).join(', '))

const linkedValues = ({ table, owner, column, compared }: Link): string =>
  `ARRAY(SELECT ${compared === undefined ? `l.${column}` : `coalesce(l.written, l.${column})`} FROM ${table} l
     WHERE l.workspace_id = t.workspace_id AND l.${owner} = t.id ORDER BY l.position)`

/** Puts the fields into the contract's order; the database returns days and times as the contract has them. */
function rowReader<R extends Resource>(
  { fields, object, narrow }: Definition<R>,
  only: ReadonlySet<string> | undefined,
): (row: Fields) => R {
  const all = Object.keys(fields)
  const names = only === undefined ? all : all.filter((name) => only.has(name))
  return (row) => {
    const read: Record<string, unknown> = {}
    for (const name of names) {
      const value = name === 'object' ? object : row[name]
      if (value !== undefined) read[name] = name === 'externalIds' ? inContractOrder(value) : value
    }
    // The select list names every field of R, and the table's checks allow no other values.
    return (narrow === undefined ? read : narrow(read)) as R
  }
}

/** The database does not keep the order of the fields of a JSON object. */
const inContractOrder = (externalIds: unknown): ExternalIds =>
  (externalIds as ExternalIds).map(({ source, id }) => ({ source, id }))

type FirstId = Pick<Resource, 'externalSource' | 'externalId'>

/** All ids of a row that has the others in a column of their own. */
export const externalIdsOf = ({ externalSource: source, externalId: id }: FirstId, others: unknown): ExternalIds => [
  ...(source === null || id === null ? [] : [{ source, id }]),
  ...inContractOrder(others),
]

export type Resource = {
  readonly id: string
  readonly object: string
  readonly workspaceId: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: Author
  readonly updatedBy: Actor
  readonly deletedAt: string | null
  readonly imported: Imported | null
  readonly externalSource: string | null
  readonly externalId: string | null
  readonly externalIds: ExternalIds
}

/** An object, an input or a row whose fields are known by name only. */
export type Fields = Readonly<Record<string, unknown>>

/** Called with each collection, so that code that does something for each of them imports none of them. */
type Visit<T> = <R extends Resource, S extends CollectionSegment>(collection: Collection<R, S>) => T

/** Returns what `visit` returned for each collection; collections that others refer to come first. */
export type EachCollection = <T>(visit: Visit<T>) => readonly T[]

/** Fields are those of the contract: their number is bounded. */
const columnNames = new Map<string, string>()

export function columnOf(field: string): string {
  const known = columnNames.get(field)
  if (known !== undefined) return known
  const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(field, column)
  return column
}

const asColumns = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]))
