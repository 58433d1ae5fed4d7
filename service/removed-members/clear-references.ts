// Background work: objects that name a removed member as assignee, project member or owner name him no longer. They
// change in batches, each with its next version and its event. Deleted and hidden objects change without either: nobody
// sees them until they are restored. Which fields name members is read off what the collections declare.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { changeEach, emitUpdated, timesAfter, writeVersions, type NextTime } from '../collection/change-each.ts'
import { columnOf } from '../collection/columns.ts'
import type { Collection } from '../collection/define.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import { select } from '../collection/find.ts'
import { columnsNaming, namesObject, type Named, type ReferenceColumn } from '../collection/reference-columns.ts'
import type { Fields, Resource } from '../collection/resource.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import type { Call, Db } from '../execution/handler.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'

type Parts = ChangeParts & { readonly eachCollection: EachCollection }

const membersMax = 20
const objectsMax = 200

/** Does one batch for each removed member who may still be named. Returns false when there is none. */
export async function clearReferencesToRemoved(parts: Parts, max = objectsMax): Promise<boolean> {
  const removed = await removedMembers(parts.db)
  await attemptEach(removed, (member) =>
    changeAsSystem(parts, member.workspaceId, null, (call) => clearBatch(parts.eachCollection, member, max, call)),
  )
  return removed.length > 0
}

const removedMembers = (db: Database): Promise<Named[]> =>
  db.$queryRaw`
    SELECT workspace_id AS "workspaceId", id FROM member WHERE deleted_at IS NOT NULL AND left_at IS NULL
    ORDER BY deleted_at LIMIT ${membersMax}::int`

async function clearBatch(eachCollection: EachCollection, member: Named, max: number, call: Call): Promise<void> {
  const { workspaceId, id } = member
  const nextTime = timesAfter(call)
  let left = max
  for (const clear of clearingsIn(eachCollection)) {
    left -= await clear({ member, max: left, call, nextTime })
    // There may be more objects in this column: the next batch begins with them.
    if (left === 0) return
  }
  await call.db.member.update({ where: { workspaceId_id: { workspaceId, id } }, data: { leftAt: call.now } })
}

type Batch = { readonly member: Named; readonly max: number; readonly call: Call; readonly nextTime: NextTime }
/** Changes at most `max` objects, and returns how many they were. */
type Clear = (batch: Batch) => Promise<number>

/** One for each column that names members. Collections that refer to others come first. */
const clearingsIn = (eachCollection: EachCollection): Clear[] =>
  eachCollection<Clear[]>((collection) =>
    columnsNaming(collection, 'member').map((reference) => (batch) => clearColumn(collection, reference, batch)),
  )
    .toReversed()
    .flat()

async function clearColumn<R extends Resource>(
  collection: Collection<R>,
  reference: ReferenceColumn,
  { member, max, call, nextTime }: Batch,
): Promise<number> {
  const where = Prisma.sql`${namesObject(reference, member)} AND t.deleted_at IS NULL`
  const tail = Prisma.sql`ORDER BY t.id LIMIT ${max}::int`
  const found = await select(call.db, collection, { where, tail, all: false })
  const change = (before: R): R => without(before, reference, member)
  const changed = changeEach(found, { call, nextTime, change, emit: emitUpdated(collection) })
  // When these were the last that anybody sees, the rows of deleted and hidden objects are cleared with them.
  await clearRows(call.db, reference, member, found.length < max ? null : found.map(({ id }) => id))
  await writeVersions(call.db, collection.table, changed)
  return found.length
}

function without<R extends Resource>(object: R, { field }: ReferenceColumn, { id }: Named): R {
  const value = (object as Fields)[field]
  return { ...object, [field]: Array.isArray(value) ? value.filter((each) => each !== id) : null }
}

/** In the rows of `objects`, or in all rows when that is null. */
async function clearRows(
  tx: Db,
  { field, table, link }: ReferenceColumn,
  { workspaceId, id }: Named,
  objects: readonly string[] | null,
): Promise<void> {
  const column = Prisma.raw(link?.column ?? columnOf(field))
  const owner = Prisma.raw(link?.owner ?? 'id')
  const ofObjects = objects === null ? Prisma.empty : Prisma.sql`AND ${owner} = ANY(${[...objects]}::uuid[])`
  const where = Prisma.sql`workspace_id = ${workspaceId}::uuid AND ${column} = ${id}::uuid ${ofObjects}`
  if (link !== undefined) await tx.$executeRaw`DELETE FROM ${Prisma.raw(link.table)} WHERE ${where}`
  else await tx.$executeRaw`UPDATE ${Prisma.raw(table)} SET ${column} = NULL WHERE ${where}`
}
