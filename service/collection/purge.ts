// A deleted object goes for good, before its 30 days are over. Its row stays until then, with nothing in it but that it
// was deleted: a copy that has not heard of that yet still finds the tombstone, in the version that it had.
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import { deletedProjectOf, unhidden } from './deleted.ts'
import type { Collection, CollectionHandler, Resource } from './definition.ts'
import { findAny, update } from './rows.ts'

export function purge<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { id } = given as { readonly id: string }
    const before = await findAny(call.db, unhidden(collection), call.workspaceId, id)
    if (before.deletedAt === null) throw await notDeleted(collection, before, call)
    if (!(await mark(collection, before, call))) return null
    await update(call.db, collection, collection.erased(before), before)
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

/** False where it is purged already. */
async function mark({ table }: Pick<Collection, 'table'>, { workspaceId, id }: Resource, call: Call): Promise<boolean> {
  const marked = await call.db.$executeRaw`UPDATE ${Prisma.raw(table)} SET purged_at = ${call.now}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND purged_at IS NULL`
  return marked > 0
}

/** Documents have none. */
async function deleteComments({ segment }: Pick<Collection, 'segment'>, { id }: Resource, call: Call): Promise<void> {
  const { db, workspaceId } = call
  const subject = { projects: { projectId: id }, tasks: { taskId: id }, 'crm-entities': { crmEntityId: id } }
  if (segment !== 'documents') await db.comment.deleteMany({ where: { workspaceId, ...subject[segment] } })
}
