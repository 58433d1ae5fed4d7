// Objects go on naming members who were removed and entities that were merged into others: each of them is brought up
// to date by a change of its own, with a version, a time and an event, so that no version ever has two contents. What
// is shown is changed in batches. What is deleted, or hidden with its project, stays as it is: `includeDeleted` shows
// it, and no one would learn of a change. It is brought up to date when it is restored, or shown again with its
// project.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db } from '../execution/call.ts'
import { changeEach, emitUpdated, writeVersions, type NextTime } from './change-each.ts'
import type { Collection, EachCollection, Fields, Resource } from './definition.ts'
import {
  columnsNaming,
  namesObject,
  outdatedTables,
  reopen,
  replaceInRows,
  successorRows,
  type NamedRow,
  type OutdatedTable,
  type ReferenceColumn,
} from './outdated-rows.ts'
import { select } from './rows.ts'

/** An object that is to be named no longer, and what is named in its place: nothing, when that is null. */
export type Outdated = NamedRow & { readonly table: OutdatedTable; readonly successorId: string | null }

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
  const rows = await successorRows(db, workspaceId, table, ids)
  return new Map(rows.map(({ id, successorId }) => [id, successorId]))
}

/** What has taken the place of a deleted object of a collection; null when nothing has. */
export async function successorOf(
  { table }: Pick<Collection, 'table'>,
  { id }: Resource,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<string | null> {
  const name = outdatedTables.find((each) => each === table)
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

/** The object as it is restored: it names what is there now. */
export async function withCurrentReferences<R extends Resource>(
  collection: Collection<R>,
  object: R,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<R> {
  let current = object
  for (const table of outdatedTables) {
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
        outdatedTables.flatMap((table) => columnsNaming(hidden, table).map((named) => ({ within, table, named }))),
      ),
  )
  for (const { within, table, named } of reopenings.flat()) {
    await reopen(db, { table, named, within }, { workspaceId, id })
  }
}
