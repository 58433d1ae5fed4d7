// External ids are unique, those of deleted and hidden objects included: they can come back.
import { Prisma } from '#prisma/generated/client.ts'
import type { Fault } from '#contract/fault.ts'
import type { Call } from '../execution/handler.ts'
import { taken } from '../faults/value-taken.ts'
import type { Collection, Resource } from './definition.ts'
import { deletedProjectOf, unhidden } from './deleted.ts'
import { findByExternalId } from './rows.ts'

export async function assertNoTwin<R extends Resource>(
  collection: Collection<R>,
  { workspaceId, externalSource, externalId }: R,
  before: R | null,
  call: Call,
): Promise<void> {
  if (externalSource === null || externalId === null) return
  if (before?.externalSource === externalSource && before.externalId === externalId) return
  const key = { source: externalSource, externalId }
  const twin = await findByExternalId(call.db, unhidden(collection), workspaceId, key)
  if (twin === null) return
  const project = await deletedProjectOf(twin, call)
  if (project === null || project.purgedAt === null) throw takenBy(collection, twin, project?.id)
  await release(collection, twin, call)
}

export function takenBy<R extends Resource>(
  { successor }: Collection<R>,
  twin: R,
  deletedProjectId: string | null = null,
): Fault {
  const { id, deletedAt } = twin
  return taken('externalId', { id, deletedAt, successorId: successor?.(twin) ?? null, deletedProjectId })
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
