// Objects that name a merged entity name its survivor instead: each of them changes, with its next version and event.
// Deleted objects change without either: nobody sees them until they are restored. Which fields name entities is read
// off what the collections declare. Among them is the one by which merged entities name their survivors.
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { changeEach, emitUpdated, writeVersions, type NextTime } from '../collection/change-each.ts'
import type { Collection } from '../collection/define.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import { select } from '../collection/find.ts'
import { columnsNaming, namesObject, rowsNaming, type ReferenceColumn } from '../collection/reference-columns.ts'
import type { Resource } from '../collection/resource.ts'
import type { Call } from '../execution/handler.ts'
import { crmEntities } from './collection.ts'
import { commentColumn, moveComments } from './move-comments.ts'
import { replaceInObject, replaceInRows, sourceOf, type Merge } from './replace-id.ts'

const referencesMax = 1_000

/** Throws `limit_reached` when more objects name the source than one call may change. */
export async function assertFewReferences(
  eachCollection: EachCollection,
  merge: Merge,
  { db }: Pick<Call, 'db'>,
): Promise<void> {
  const columns = [
    ...eachCollection((collection) => columnsNaming(collection, crmEntities.table)).flat(),
    commentColumn,
  ]
  const rows = columns.map((column) => Prisma.sql`SELECT 1 FROM ${rowsNaming(column, sourceOf(merge))}`)
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM (${Prisma.join(rows, ' UNION ALL ')} LIMIT ${referencesMax + 1}) AS named`
  if (Number(row?.count) <= referencesMax) return
  throw new Fault('limit_reached', `More than ${referencesMax} objects name the source: it cannot be merged at once.`, {
    limit: referencesMax,
  })
}

export async function replaceReferences(
  eachCollection: EachCollection,
  merge: Merge,
  call: Call,
  nextTime: NextTime,
): Promise<void> {
  const replacements = eachCollection((collection) =>
    columnsNaming(collection, crmEntities.table).map(
      (reference) => () => replaceInColumn(collection, reference, merge, call, nextTime),
    ),
  )
  for (const replace of replacements.flat()) await replace()
  await moveComments(merge, call, nextTime)
}

async function replaceInColumn<R extends Resource>(
  collection: Collection<R>,
  reference: ReferenceColumn,
  merge: Merge,
  call: Call,
  nextTime: NextTime,
): Promise<void> {
  const where = Prisma.sql`${namesObject(reference, sourceOf(merge))} AND t.deleted_at IS NULL`
  const found = await select(call.db, collection, { where, tail: Prisma.sql`ORDER BY t.id`, all: false })
  await replaceInRows(call.db, reference, merge)
  const change = (before: R): R => replaceInObject(before, reference, merge)
  const changed = changeEach(found, { call, nextTime, change, emit: emitUpdated(collection) })
  await writeVersions(call.db, collection.table, changed)
}
