// External ids are unique, those of deleted and hidden objects included: they can come back.
import { Prisma } from '#prisma/generated/client.ts'
import type { Fault } from '#contract/fault.ts'
import type { Call } from '../execution/handler.ts'
import { taken } from '../faults/value-taken.ts'
import type { Collection, Resource } from './definition.ts'
import { deletedProjectOf, unhidden } from './deleted.ts'
import { findByExternalId } from './rows.ts'

export async function assertNoDuplicate<R extends Resource>(
  collection: Collection<R>,
  { workspaceId, externalSource, externalId }: R,
  before: R | null,
  call: Call,
): Promise<void> {
  if (externalSource === null || externalId === null) return
  if (before?.externalSource === externalSource && before.externalId === externalId) return
  const key = { source: externalSource, externalId }
  const duplicate = await findByExternalId(call.db, unhidden(collection), workspaceId, key)
  if (duplicate === null) return
  const project = await deletedProjectOf(duplicate, call)
  if (project === null || project.purgedAt === null) throw takenBy(collection, duplicate, project?.id)
  await release(collection, duplicate, call)
}

export function takenBy<R extends Resource>(
  { successorId }: Collection<R>,
  duplicate: R,
  deletedProjectId: string | null = null,
): Fault {
  const { id, deletedAt } = duplicate
  return taken('externalId', { id, deletedAt, successorId: successorId?.(duplicate) ?? null, deletedProjectId })
}

/** What is in a purged project is taken away in time; nobody has to wait for that. */
async function release(
  { table }: Pick<Collection, 'table'>,
  { workspaceId, id }: Resource,
  { db }: Call,
): Promise<void> {
  await db.$executeRaw`UPDATE ${Prisma.raw(table)} SET external_source = NULL, external_id = NULL
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`
}
