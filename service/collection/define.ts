// Makes a collection of its definition: the SQL that selects its rows, and the reader that turns a row into an object.
import type { CollectionSegment } from '#contract/scopes.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { columnOf } from './columns.ts'
import type { Definition, Link } from './definition.ts'
import type { Fields, Resource } from './resource.ts'

export type Collection<R extends Resource = Resource, S extends CollectionSegment = CollectionSegment> = Definition<
  R,
  S
> & {
  /** The table's own columns, one for each field that is not a link. */
  readonly columns: readonly string[]
  /** The select list with all fields. */
  readonly selectAll: Prisma.Sql
  /** The select list without the fields that are only shown on request. */
  readonly selectBrief: Prisma.Sql
  /** The select list with those of the fields that the collection has. */
  readonly selectOnly: (fields: ReadonlySet<string>) => Prisma.Sql
  /** The table, as `t`, with the join that hides what must not be seen. */
  readonly from: Prisma.Sql
  /** Reads rows that hold these of the fields; all, when none are named. */
  readonly rowReader: (only?: ReadonlySet<string>) => (row: Fields) => R
  /** The object without the fields that are only shown on request. */
  readonly brief: (object: R) => Fields
}

export function define<R extends Resource, const S extends CollectionSegment>(
  definition: Definition<R, S>,
): Collection<R, S> {
  const linked = new Set(definition.links.map(({ field }) => field))
  const plain = Object.keys(definition.fields).filter((field) => field !== 'object' && !linked.has(field))
  const selected: Selected[] = [
    ...plain.map((field) => ({ field, sql: `t.${columnOf(field)}` })),
    ...definition.links.map((link) => ({ field: link.field, sql: linkedValues(link) })),
  ]
  const onRequest = new Set(definition.onlyOnRequest ?? [])
  return {
    ...definition,
    columns: plain.map(columnOf),
    selectAll: selectList(selected),
    selectBrief: selectList(selected.filter(({ field }) => !onRequest.has(field))),
    selectOnly: (fields) => selectList(selected.filter(({ field }) => fields.has(field))),
    from: Prisma.raw(`${definition.table} t ${definition.hiddenWithProject ? shownProject : ''}`),
    rowReader: (only) => rowReader(definition, only),
    brief: (object) => without(object, onRequest),
  }
}

/** Not every object has a project. */
const shownProject = `LEFT JOIN project p ON p.workspace_id = t.workspace_id AND p.id = t.project_id
  JOIN LATERAL (SELECT WHERE p.deleted_at IS NULL) shown ON TRUE`

const without = (object: Fields, fields: ReadonlySet<string>): Fields =>
  fields.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([field]) => !fields.has(field)))

type Selected = { readonly field: string; readonly sql: string }

const selectList = (selected: readonly Selected[]): Prisma.Sql =>
  Prisma.raw(selected.map(({ field, sql }) => `${sql} AS "${field}"`).join(', '))

const linkedValues = ({ table, owner, column }: Link): string =>
  `ARRAY(SELECT l.${column} FROM ${table} l
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
      if (value !== undefined) read[name] = value
    }
    // The select list names every field of R, and the table's checks allow no other values.
    return (narrow === undefined ? read : narrow(read)) as R
  }
}
