// Where objects name members who were removed and entities that were merged into others, and the statements that bring
// these names up to date (outdated-references.ts says when).
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import { columnOf, type Collection, type Link } from './definition.ts'

/** `gone`: the condition for rows that must be named no longer. `settled`: the column that says since when none is. */
type NamedTable = { readonly gone: string; readonly successor: string; readonly settled: string }
const tables = {
  member: { gone: 'deleted_at IS NOT NULL', successor: 'NULL::uuid', settled: 'left_at' },
  crm_entity: { gone: 'merged_into_id IS NOT NULL', successor: 'merged_into_id', settled: 'references_moved_at' },
} as const satisfies Record<string, NamedTable>
export type OutdatedTable = keyof typeof tables
export const outdatedTables = ['member', 'crm_entity'] as const satisfies readonly OutdatedTable[]

/** The field of the objects in `table`. Their ids are in the link table, if there is one. */
export type ReferenceColumn = { readonly field: string; readonly table: string; readonly link?: Link | undefined }

/** The object whose id is looked for. */
export type NamedRow = { readonly workspaceId: string; readonly id: string }

/** The columns in which objects of the collection name those of the table `named`. */
export const columnsNaming = (
  { table, links, references }: Pick<Collection, 'table' | 'links' | 'references'>,
  named: string,
): ReferenceColumn[] =>
  references
    .filter((reference) => reference.table === named)
    .map(({ field }) => ({ field, table, link: links.find((link) => link.field === field) }))

/** The table and the column that hold the ids. */
export const tableAndColumn = ({ field, table, link }: ReferenceColumn): readonly [table: string, column: string] =>
  link === undefined ? [table, columnOf(field)] : [link.table, link.column]

/** The rows that hold the id, for FROM: `<table> h WHERE …`. */
function rowsNaming(reference: ReferenceColumn, { workspaceId, id }: NamedRow): Prisma.Sql {
  const [table, column] = tableAndColumn(reference)
  return Prisma.sql`${Prisma.raw(table)} h
    WHERE h.workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(`h.${column}`)} = ${id}::uuid`
}

/** The condition for objects `t` that name it. */
export function namesObject(reference: ReferenceColumn, named: NamedRow): Prisma.Sql {
  const owner = Prisma.raw(`h.${reference.link?.owner ?? 'id'}`)
  const owners = Prisma.sql`SELECT ${owner} FROM ${rowsNaming(reference, named)}`
  return Prisma.sql`t.workspace_id = ${named.workspaceId}::uuid AND t.id IN (${owners})`
}

type WaitingObject = NamedRow & { readonly table: OutdatedTable }

/** Those that objects may still name, longest waiting first. */
export const waitingIn = query(
  { workspaceId: column.uuid, id: column.uuid, since: column.time.present, table: column.text.of<OutdatedTable>() },
  (max: number) =>
    Prisma.sql`${Prisma.join(
      outdatedTables.map((name) => {
        const { gone, settled } = tables[name]
        return Prisma.sql`(SELECT workspace_id AS "workspaceId", id, deleted_at AS since, ${name}::text AS "table"
        FROM ${Prisma.raw(name)} WHERE ${Prisma.raw(`${gone} AND deleted_at IS NOT NULL AND ${settled} IS NULL`)}
        ORDER BY deleted_at LIMIT ${max}::int)`
      }),
      ' UNION ALL ',
    )} ORDER BY since LIMIT ${max}::int`,
)

/** Nothing that is shown names it any more. */
export const settle = command(
  ({ workspaceId, id, table }: WaitingObject, now: Date) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(tables[table].settled)} = ${now}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`,
  outdatedTables.map((table) => [{ workspaceId: '', id: '', table }, new Date(0)]),
)

export const successorRows = query(
  { id: column.uuid, successorId: column.uuid.orNull },
  (workspaceId: string, table: OutdatedTable, ids: readonly string[]) => {
    const { gone, successor } = tables[table]
    return Prisma.sql`
      WITH RECURSIVE way (first, id, next) AS (
        SELECT id, id, ${Prisma.raw(successor)} FROM ${Prisma.raw(table)}
        WHERE workspace_id = ${workspaceId}::uuid AND id = ANY(${[...ids]}::uuid[]) AND ${Prisma.raw(gone)}
        UNION ALL
        SELECT way.first, t.id, ${Prisma.raw(successor === 'NULL::uuid' ? successor : `t.${successor}`)}
        FROM way JOIN ${Prisma.raw(table)} t ON t.workspace_id = ${workspaceId}::uuid AND t.id = way.next
      ) SELECT first AS id, nullif(id, first) AS "successorId" FROM way WHERE next IS NULL`
  },
  outdatedTables.map((table) => ['', table, []]),
)

type Replacement = NamedRow & { readonly successorId: string | null }

/** In the rows of these objects. Those that name the successor already only lose the other. */
export async function replaceInRows(
  tx: Db,
  reference: ReferenceColumn,
  replacement: Replacement,
  objects: readonly string[],
): Promise<void> {
  if (reference.link !== undefined) await deleteLinks(tx, reference, replacement, objects)
  if (reference.link === undefined || replacement.successorId !== null)
    await nameSuccessor(tx, reference, replacement, objects)
}

const partsOf = (
  { link, table, field }: ReferenceColumn,
  { workspaceId, id }: NamedRow,
  objects: readonly string[],
) => {
  const [owner, column] = [Prisma.raw(link?.owner ?? 'id'), Prisma.raw(link?.column ?? columnOf(field))]
  const naming = Prisma.sql`h.workspace_id = ${workspaceId}::uuid AND h.${owner} = ANY(${[...objects]}::uuid[])
    AND h.${column} = ${id}::uuid`
  return { rows: Prisma.raw(link?.table ?? table), owner, column, naming }
}

const anyReplacement: Replacement = { workspaceId: '', id: '', successorId: null }
const assignees: ReferenceColumn = {
  field: 'assigneeIds',
  table: 'task',
  link: { field: 'assigneeIds', table: 'task_assignee', owner: 'task_id', column: 'member_id', type: 'uuid' },
}
const owner: ReferenceColumn = { field: 'ownerId', table: 'crm_entity' }

const deleteLinks = command(
  (reference: ReferenceColumn, replacement: Replacement, objects: readonly string[]) => {
    const { rows, owner, column, naming } = partsOf(reference, replacement, objects)
    const { successorId } = replacement
    return Prisma.sql`DELETE FROM ${rows} h WHERE ${naming} AND (${successorId}::uuid IS NULL OR EXISTS (
      SELECT FROM ${rows} o WHERE o.workspace_id = h.workspace_id AND o.${owner} = h.${owner}
        AND o.${column} = ${successorId}::uuid))`
  },
  [[assignees, anyReplacement, []]],
)

const nameSuccessor = command(
  (reference: ReferenceColumn, replacement: Replacement, objects: readonly string[]) => {
    const { rows, column, naming } = partsOf(reference, replacement, objects)
    return Prisma.sql`UPDATE ${rows} h SET ${column} = ${replacement.successorId}::uuid WHERE ${naming}`
  },
  [assignees, owner].map((reference) => [reference, anyReplacement, []]),
)

type Reopening = {
  readonly table: OutdatedTable
  /** `named` refers to a row of `table`, `within` to the object that is shown again. */
  readonly named: ReferenceColumn
  readonly within: ReferenceColumn
}

/** Marks the removed members and merged entities that objects within `shown` name: references to them wait again. */
export const reopen = command(
  ({ table, named, within }: Reopening, shown: NamedRow) => {
    const [rows, column] = tableAndColumn(named)
    const { gone, settled } = tables[table]
    const objects = Prisma.sql`SELECT h.id FROM ${rowsNaming(within, shown)} AND h.deleted_at IS NULL`
    return Prisma.sql`UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(settled)} = NULL
      WHERE workspace_id = ${shown.workspaceId}::uuid AND ${Prisma.raw(`${gone} AND ${settled} IS NOT NULL`)} AND id IN (
        SELECT n.${Prisma.raw(column)} FROM ${Prisma.raw(rows)} n
        WHERE n.workspace_id = ${shown.workspaceId}::uuid AND n.${Prisma.raw(named.link?.owner ?? 'id')} IN (${objects}))`
  },
  [[{ table: 'member', named: assignees, within: { field: 'projectId', table: 'task' } }, anyReplacement]],
)
