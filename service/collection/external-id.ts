// External ids are unique in a workspace, those of deleted and hidden objects included: these can be restored.
import { Prisma } from '#prisma/generated/client.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { Call } from '../execution/handler.ts'
import { taken } from '../faults/value-taken.ts'
import type { Collection } from './define.ts'
import { findByExternalId } from './find.ts'
import { successorOf } from './outdated-references.ts'
import type { Resource } from './resource.ts'
import { deletedProjectOf, withHidden } from './visibility.ts'

/** Throws `duplicate` when another object has the external id of `next`. */
export async function assertExternalIdFree<R extends Resource>(
  collection: Collection<R>,
  { workspaceId, externalSource, externalId }: R,
  before: R | null,
  call: Call,
): Promise<void> {
  if (externalSource === null || externalId === null) return
  if (before?.externalSource === externalSource && before.externalId === externalId) return
  const key = { source: externalSource, externalId }
  const duplicate = await findByExternalId(call.db, withHidden(collection), workspaceId, key)
  if (duplicate === null) return
  const project = await deletedProjectOf(duplicate, call)
  if (project === null || project.purgedAt === null)
    throw await externalIdTaken(collection, duplicate, call, project?.id)
  await releaseExternalId(collection, duplicate, call)
}

export async function externalIdTaken<R extends Resource>(
  collection: Collection<R>,
  duplicate: R,
  call: Call,
  deletedProjectId: string | null = null,
): Promise<Fault> {
  const { id, deletedAt } = duplicate
  const successorId = deletedAt === null ? null : await successorOf(collection, duplicate, call)
  return taken('externalId', { id, deletedAt, successorId, deletedProjectId })
}

/** The objects of a purged project are deleted in the background; their external ids are free at once. */
async function releaseExternalId(
  { table }: Pick<Collection, 'table'>,
  { workspaceId, id }: Resource,
  { db }: Call,
): Promise<void> {
  await db.$executeRaw`UPDATE ${Prisma.raw(table)} SET external_source = NULL, external_id = NULL
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`
}
