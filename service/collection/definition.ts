// What a collection declares: its table, fields, filters, sorts, events, and the functions that are its own. README.md
// says when each function is called; define.ts makes of it what the handlers work with.
import type { TProperties } from 'typebox'
import type { CollectionSegment, Scope } from '#contract/scopes.ts'
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import type { Event } from '#contract/event.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Origin } from '../object-versions/bookkeeping-fields.ts'
import type { Filter } from './filters.ts'
import type { Fields, Resource } from './resource.ts'

/** A list of values that is kept in a table of its own, with the columns `owner`, `column` and `position`. */
export type Link = {
  readonly field: string
  readonly table: string
  /** The column with the id of the object that has the list. */
  readonly owner: string
  /** The column with the value. */
  readonly column: string
  readonly type: 'uuid' | 'text'
}

/** A field with ids of objects in `table`, which must exist and not be deleted. `condition` is SQL over its row `r`. */
export type Reference = { readonly field: string; readonly table: string; readonly condition?: string }

/** An order of the list. */
export type Sort = {
  readonly field: string
  /** What rows are ordered by. */
  readonly sql: string
  readonly type: 'timestamptz' | 'text' | 'date' | 'float8' | 'int'
  /** What `sql` gives where the field is null: it comes last, so that a descending order has others. */
  readonly empty?: string
  readonly whenDescending?: { readonly sql: string; readonly empty: string }
  /** The values in their order, when that is not their own: `sql` then gives a value's rank, counted from 1. */
  readonly ranks?: readonly string[]
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

export type Definition<R extends Resource, S extends CollectionSegment = CollectionSegment> = Shape<R, S> &
  Reading &
  Writing<R>

export type Action =
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
  | 'batch'
  | 'count'

/** Where the objects are kept, and what they look like. */
type Shape<R extends Resource, S extends CollectionSegment> = {
  readonly segment: S
  /** By their full names, so that a name out of a log line is found where its handler is bound. */
  readonly operations: { readonly [A in Action]: `${S}.${A}` }
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
  readonly events: Readonly<Record<'created' | 'updated' | 'deleted' | 'restored', Event>>
  /** What the custom fields of this object, or of the objects that this query asks for, are defined for. */
  readonly customFieldTargets?: (objectOrQuery: Fields) => readonly CustomFieldTarget[]
  /** How much of the quota of bytes an object takes. */
  readonly contentBytes?: (object: R) => number
  /** The object with the fields of its kind only, from the fields of all kinds. */
  readonly narrow?: (fields: Fields) => R
}

/** How objects are listed, searched and shown. SQL is written over the table's alias `t`. */
type Reading = {
  /** It belongs to a project, and is hidden while that is deleted. */
  readonly hiddenWithProject?: true
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
  readonly selectExtra?: (q: string, workspaceId: string) => Prisma.Sql
}

/** What happens to an object on its way into the table. */
type Writing<R extends Resource> = {
  /** Makes a new object of the input. Pure. Throws when the values do not allow it. */
  readonly draft: (input: Fields, origin: Origin) => R
  /** Returns the object with the patch applied. Pure. Throws when its state or the values do not allow it. */
  readonly applyPatch: (before: R, patch: Fields, origin: Origin) => R
  /** Checks the object against others in the database and returns it with what only the database knows. */
  readonly resolve?: (next: R, before: R | null, call: Call, given: Fields) => Promise<R>
  /** A field that the INSERT itself fills when the object has it empty. `value` is SQL. */
  readonly generatedOnInsert?: { readonly field: keyof R & string; readonly value: (next: R) => Prisma.Sql }
  /** Changes what else follows from an update, once the row is written. */
  readonly afterUpdate?: (after: R, before: R, call: Call) => Promise<void>
  /** Returns what is left of a purged object: nothing that a person wrote, no value that another may want. Pure. */
  readonly erased: (deleted: R) => R
  /** Releases values of a purged object that other tables hold. */
  readonly afterPurge?: (deleted: R, call: Call) => Promise<void>
}
