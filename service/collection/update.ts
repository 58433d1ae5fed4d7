import type { Call } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { takeQuota } from '../execution/quotas.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import type { Collection } from './define.ts'
import { find } from './find.ts'
import type { CollectionHandler } from './definition.ts'
import { resolveDraft } from './resolve.ts'
import type { Fields, Resource } from './resource.ts'
import { updateRow } from './write-rows.ts'

export function updateHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { id, ...patch } = input as Fields & { readonly id: string }
    const before = await find(call.db, collection, call.workspaceId, id)
    return await updateObject(collection, before, patch, call)
  }
}

/** Returns `before` itself, and writes and emits nothing, when the patch changes nothing. */
export async function updateObject<R extends Resource>(
  collection: Collection<R>,
  before: R,
  { expectedVersion, ...patch }: Fields & { readonly expectedVersion?: number },
  call: Call,
): Promise<R> {
  assertVersion(before, expectedVersion, call)
  const { workspaceId, actor, now } = call
  const draft = collection.applyPatch(before, patch, { id: before.id, workspaceId, actor, now })
  const next = await resolveDraft(collection, draft, before, patch, call)
  if (isUnchanged(before, next)) return before
  const { contentBytes } = collection
  if (contentBytes !== undefined) takeQuota(call.quotaRoom, 'documentBytes', contentBytes(next) - contentBytes(before))
  const after = bumpVersion(next, call)
  await updateRow(call.db, collection, after, before)
  call.emit(collection.events.updated, collection.brief(after), collection.brief(before))
  await collection.afterUpdate?.(after, before, call)
  return after
}
