// Objects go on naming members who were removed and entities that were merged into others: each of them is brought up
// to date by a change of its own, with a version, a time and an event, so that no version ever has two contents. What
// is shown is changed in batches. What is deleted, or hidden with its project, stays as it is: `includeDeleted` shows
// it, and no one would learn of a change. It is brought up to date when it is restored, or shown again with its
// project.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db } from '../execution/call.ts'
import { changeEach, emitUpdated, writeVersions, type NextTime } from './change-each.ts'
import { columnOf, type Collection, type EachCollection, type Fields, type Resource, type Link } from './definition.ts'
import { select } from './rows.ts'

/** `gone`: the condition for rows that must be named no longer. `settled`: the column that says since when none is. */
type NamedTable = { readonly gone: string; readonly successor: string; readonly settled: string }
const tables = {
  member: { gone: 'deleted_at IS NOT NULL', successor: 'NULL::uuid', settled: 'left_at' },
  crm_entity: { gone: 'merged_into_id IS NOT NULL', successor: 'merged_into_id', settled: 'references_moved_at' },
} as const satisfies Record<string, NamedTable>
export type OutdatedTable = keyof typeof tables
const tableNames = ['member', 'crm_entity'] as const satisfies readonly OutdatedTable[]

/** An object that is to be named no longer, and what is named in its place: nothing, when that is null. */
export type Outdated = NamedRow & { readonly table: OutdatedTable; readonly successorId: string | null }

type WaitingObject = NamedRow & { readonly table: OutdatedTable }

/** Those that objects may still name, longest waiting first. */
export const waitingIn = (db: Db, max: number): Promise<WaitingObject[]> =>
  db.$queryRaw<WaitingObject[]>`${Prisma.join(
    tableNames.map((name) => {
      const { gone, settled } = tables[name]
      return Prisma.sql`(SELECT workspace_id AS "workspaceId", id, deleted_at AS since, ${name} AS "table"
        FROM ${Prisma.raw(name)} WHERE ${Prisma.raw(`${gone} AND deleted_at IS NOT NULL AND ${settled} IS NULL`)}
        ORDER BY deleted_at LIMIT ${max}::int)`
    }),
    ' UNION ALL ',
  )} ORDER BY since LIMIT ${max}::int`

/** Nothing that is shown names it any more. */
export async function settle(tx: Db, { workspaceId, id, table }: WaitingObject, now: Date): Promise<void> {
  await tx.$executeRaw`UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(tables[table].settled)} = ${now}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`
}

/**
 * What stands in the place of each of these that is gone, however often that was merged again; null where nothing does.
 */
export async function successorsOf(
  db: Db,
  workspaceId: string,
  table: OutdatedTable,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { gone, successor } = tables[table]
  const rows = await db.$queryRaw<{ id: string; successorId: string | null }[]>`
    WITH RECURSIVE way (first, id, next) AS (
      SELECT id, id, ${Prisma.raw(successor)} FROM ${Prisma.raw(table)}
      WHERE workspace_id = ${workspaceId}::uuid AND id = ANY(${[...ids]}::uuid[]) AND ${Prisma.raw(gone)}
      UNION ALL
      SELECT way.first, t.id, ${Prisma.raw(successor === 'NULL::uuid' ? successor : `t.${successor}`)}
      FROM way JOIN ${Prisma.raw(table)} t ON t.workspace_id = ${workspaceId}::uuid AND t.id = way.next
    ) SELECT first AS id, nullif(id, first) AS "successorId" FROM way WHERE next IS NULL`
  return new Map(rows.map(({ id, successorId }) => [id, successorId]))
}

/** What has taken the place of a deleted object of a collection; null when nothing has. */
export async function successorOf(
  { table }: Pick<Collection, 'table'>,
  { id }: Resource,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<string | null> {
  const name = tableNames.find((each) => each === table)
  return name === undefined ? null : ((await successorsOf(db, workspaceId, name, [id])).get(id) ?? null)
}

type ReplacementBatch = { readonly call: Call; readonly nextTime: NextTime; readonly max: number }

/**
 * Changes at most `max` of the objects that are shown, and returns how many they were: fewer, when these were the last.
 */
export async function replaceReferences(
  eachCollection: EachCollection,
  outdated: Outdated,
  { max, ...batch }: ReplacementBatch,
): Promise<number> {
  const columns = eachCollection<((left: number) => Promise<number>)[]>((collection) =>
    columnsNaming(collection, outdated.table).map(
      (reference) => (left) => replaceInColumn(collection, reference, outdated, { ...batch, max: left }),
    ),
  )
  let left = max
  // Collections that refer to others come first.
  for (const replace of columns.toReversed().flat()) if (left > 0) left -= await replace(left)
  return max - left
}

async function replaceInColumn<R extends Resource>(
  collection: Collection<R>,
  reference: ReferenceColumn,
  outdated: Outdated,
  { call, nextTime, max }: ReplacementBatch,
): Promise<number> {
  const where = Prisma.sql`${namesObject(reference, outdated)} AND t.deleted_at IS NULL`
  const tail = Prisma.sql`ORDER BY t.id LIMIT ${max}::int`
  const found = await select(call.db, collection, { where, tail, all: false })
  const change = (before: R): R => replaced(before, reference.field, new Map([[outdated.id, outdated.successorId]]))
  const changed = changeEach(found, { call, nextTime, change, emit: emitUpdated(collection) })
  const ids = found.map(({ id }) => id)
  if (ids.length > 0) await replaceInRows(call.db, reference, outdated, ids)
  await writeVersions(call.db, collection.table, changed)
  return found.length
}

/** A list names a successor once: where the other one stood, or where it stood itself already. Pure. */
function replaced<R extends Fields>(object: R, field: string, successors: ReadonlyMap<string, string | null>): R {
  const value = object[field]
  if (!Array.isArray(value)) {
    const successor = typeof value === 'string' ? successors.get(value) : undefined
    return successor === undefined ? object : { ...object, [field]: successor }
  }
  const stays = new Set(value.filter((id) => !successors.has(id)))
  const next = value.flatMap((id) => {
    const successor = successors.get(id)
    if (successor === undefined) return [id]
    return successor === null || stays.has(successor) ? [] : [successor]
  })
  return { ...object, [field]: [...new Set(next)] }
}

/** In the rows of these objects. Those that name the successor already only lose the other. */
export async function replaceInRows(
  tx: Db,
  { link, table, field }: ReferenceColumn,
  { workspaceId, id, successorId }: Omit<Outdated, 'table'>,
  objects: readonly string[],
): Promise<void> {
  const rows = Prisma.raw(link?.table ?? table)
  const [owner, column] = [Prisma.raw(link?.owner ?? 'id'), Prisma.raw(link?.column ?? columnOf(field))]
  const naming = Prisma.sql`h.workspace_id = ${workspaceId}::uuid AND h.${owner} = ANY(${[...objects]}::uuid[])
    AND h.${column} = ${id}::uuid`
  if (link !== undefined)
    await tx.$executeRaw`DELETE FROM ${rows} h WHERE ${naming} AND (${successorId}::uuid IS NULL OR EXISTS (
      SELECT FROM ${rows} o WHERE o.workspace_id = h.workspace_id AND o.${owner} = h.${owner}
        AND o.${column} = ${successorId}::uuid))`
  if (link === undefined || successorId !== null)
    await tx.$executeRaw`UPDATE ${rows} h SET ${column} = ${successorId}::uuid WHERE ${naming}`
}

/** The object as it is restored: it names what is there now. */
export async function withCurrentReferences<R extends Resource>(
  collection: Collection<R>,
  object: R,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<R> {
  let current = object
  for (const table of tableNames) {
    const fields = columnsNaming(collection, table).map(({ field }) => field)
    const ids = fields.flatMap((field) => [(current as Fields)[field] ?? []].flat().map(String))
    const successors = await successorsOf(db, workspaceId, table, ids)
    if (successors.size > 0) for (const field of fields) current = replaced(current, field, successors)
  }
  return current
}

/** The objects of a restored project are shown again: whatever they name that is gone waits for the next batch anew. */
export async function reopenHidden(
  eachCollection: EachCollection,
  { table: shown }: Pick<Collection, 'table'>,
  { workspaceId, id }: Resource,
  { db }: Pick<Call, 'db'>,
): Promise<void> {
  const reopenings = eachCollection((hidden) =>
    columnsNaming(hidden, shown)
      .filter(({ field }) => field === 'projectId')
      .flatMap((within) =>
        tableNames.flatMap((table) => columnsNaming(hidden, table).map((named) => ({ within, table, named }))),
      ),
  )
  for (const { within, table, named } of reopenings.flat()) {
    const [rows, column] = tableAndColumn(named)
    const { gone, settled } = tables[table]
    const objects = Prisma.sql`SELECT h.id FROM ${rowsNaming(within, { workspaceId, id })} AND h.deleted_at IS NULL`
    await db.$executeRaw`UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(settled)} = NULL
      WHERE workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(`${gone} AND ${settled} IS NOT NULL`)} AND id IN (
        SELECT n.${Prisma.raw(column)} FROM ${Prisma.raw(rows)} n
        WHERE n.workspace_id = ${workspaceId}::uuid AND n.${Prisma.raw(named.link?.owner ?? 'id')} IN (${objects}))`
  }
}

/** The field of the objects in `table`. Their ids are in the link table, if there is one. */
export type ReferenceColumn = { readonly field: string; readonly table: string; readonly link?: Link | undefined }

/** The object whose id is looked for. */
type NamedRow = { readonly workspaceId: string; readonly id: string }

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
function namesObject(reference: ReferenceColumn, named: NamedRow): Prisma.Sql {
  const owner = Prisma.raw(`h.${reference.link?.owner ?? 'id'}`)
  const owners = Prisma.sql`SELECT ${owner} FROM ${rowsNaming(reference, named)}`
  return Prisma.sql`t.workspace_id = ${named.workspaceId}::uuid AND t.id IN (${owners})`
}
