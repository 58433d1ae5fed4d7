// Erases a deleted object before its 30 days are over. Its row stays until then as a tombstone that holds nothing but
// the version and the time of the deletion, so that callers who keep a copy still learn of the deletion.
import { Fault } from '#contract/faults/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import { findAny } from './find.ts'
import type { Resource } from './resource.ts'
import { deletedProjectOf, withHidden } from './visibility.ts'
import { updateRow } from './write-rows.ts'

export function purgeHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { id } = given as { readonly id: string }
    const before = await findAny(call.db, withHidden(collection), call.workspaceId, id)
    if (before.deletedAt === null) throw await notDeleted(collection, before, call)
    if (!(await markPurged(collection, before, call))) return null
    await updateRow(call.db, collection, collection.erased(before), before)
    await deleteComments(collection, before, call)
    await collection.afterPurge?.(before, call)
    const { object, id: purgedId } = before
    const named = { object, id: purgedId }
    call.audit({ ...named, purgedAt: call.now.toISOString() }, { ...named, purgedAt: null })
    return null
  }
}

async function notDeleted({ noun }: Pick<Collection, 'noun'>, object: Resource, call: Call): Promise<Fault> {
  const project = await deletedProjectOf(object, call)
  const hint = project === null ? 'Delete it first.' : `It is hidden with the project ${project.id}: purge that one.`
  return new Fault('not_deleted', `This ${noun} is not deleted.`, { hint })
}

/** Returns false when the object is purged already. */
async function markPurged(
  { table }: Pick<Collection, 'table'>,
  { workspaceId, id }: Resource,
  call: Call,
): Promise<boolean> {
  const marked = await call.db.$executeRaw`UPDATE ${Prisma.raw(table)} SET purged_at = ${call.now}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND purged_at IS NULL`
  return marked > 0
}

async function deleteComments(
  { commentedAs }: Pick<Collection, 'commentedAs'>,
  { id }: Resource,
  { db, workspaceId }: Call,
): Promise<void> {
  if (commentedAs !== undefined) await db.comment.deleteMany({ where: { workspaceId, [commentedAs]: id } })
}
