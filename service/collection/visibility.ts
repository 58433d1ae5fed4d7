// What lists and plain reads do not show: deleted objects, and those that are hidden because their project is deleted.
import { Fault } from '#contract/faults/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import type { Fields, Resource } from './resource.ts'

type Reader = Pick<Call, 'db' | 'workspaceId'>

/** The same collection, with the objects that are hidden with their project. */
export const withHidden = <R extends Resource>(collection: Collection<R>): Collection<R> => ({
  ...collection,
  from: Prisma.raw(`${collection.table} t`),
})

/**
 * The same as the join of `from`, for statements that read much of a workspace. Before the database has counted its rows
 * it takes those of a join for very few, and chooses plans that are slow for many. This is a hash of deleted projects.
 */
export const ofShownProject = (workspaceId: string): Prisma.Sql => Prisma.sql`(t.project_id IN (
  SELECT p.id FROM project p WHERE p.workspace_id = ${workspaceId}::uuid AND p.deleted_at IS NOT NULL)) IS NOT TRUE`

type DeletedProject = { readonly id: string; readonly purgedAt: Date | null }

/** The deleted project that hides the object; null when no project does. */
export async function deletedProjectOf(object: Fields, { db, workspaceId }: Reader): Promise<DeletedProject | null> {
  const id = object['projectId']
  if (typeof id !== 'string') return null
  const where = { workspaceId, id, deletedAt: { not: null } }
  return db.project.findFirst({ where, select: { id: true, purgedAt: true } })
}

/** Throws `purged` when the object was purged by itself or with its project. */
export async function assertNotPurged(
  { table, noun }: Pick<Collection, 'table' | 'noun'>,
  object: Resource,
  call: Reader,
): Promise<void> {
  const [row] = await call.db.$queryRaw<{ purgedAt: Date | null }[]>`
    SELECT purged_at AS "purgedAt" FROM ${Prisma.raw(table)}
    WHERE workspace_id = ${call.workspaceId}::uuid AND id = ${object.id}::uuid`
  const purgedAt = row?.purgedAt ?? (await deletedProjectOf(object, call))?.purgedAt ?? null
  if (purgedAt !== null) throw new Fault('purged', `This ${noun} was purged: nothing is left of it.`)
}
