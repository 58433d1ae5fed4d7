// What lists and plain reads do not show: deleted objects, and those that are hidden with their project.
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Collection, Fields, Resource } from './definition.ts'

type Reader = Pick<Call, 'db' | 'workspaceId'>

/** The same collection, hiding nothing with a project. */
export const unhidden = <R extends Resource>(collection: Collection<R>): Collection<R> => ({
  ...collection,
  from: Prisma.raw(`${collection.table} t`),
})

type DeletedProject = { readonly id: string; readonly purgedAt: Date | null }

/** The project that hides it; null where it is in none, or in one that is there. */
export async function deletedProjectOf(object: Resource, { db, workspaceId }: Reader): Promise<DeletedProject | null> {
  const id = (object as unknown as Fields)['projectId']
  if (typeof id !== 'string') return null
  const where = { workspaceId, id, deletedAt: { not: null } }
  return db.project.findFirst({ where, select: { id: true, purgedAt: true } })
}

/** By itself or with its project. */
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
