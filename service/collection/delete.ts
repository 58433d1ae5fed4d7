// Deleting marks the row with the time: it can be restored until the clean-up deletes it for good.
import type { Call } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'
import type { Collection } from './define.ts'
import { findAny, findByExternalId, notFound, type ExternalKey } from './find.ts'
import type { CollectionHandler } from './definition.ts'
import type { Resource } from './resource.ts'
import { updateRow } from './write-rows.ts'

type Expected = { readonly expectedVersion?: number }

export function deleteHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { id, expectedVersion } = input as Expected & { readonly id: string }
    const before = await findAny(call.db, collection, call.workspaceId, id)
    return await deleteObject(collection, before, expectedVersion, call)
  }
}

export function deleteByExternalIdHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { expectedVersion, ...key } = input as Expected & ExternalKey
    const before = await findByExternalId(call.db, collection, call.workspaceId, key)
    if (before === null) throw notFound(collection)
    return await deleteObject(collection, before, expectedVersion, call)
  }
}

/** Does nothing when the object is deleted already. */
async function deleteObject<R extends Resource>(
  collection: Collection<R>,
  before: R,
  expectedVersion: number | undefined,
  call: Call,
): Promise<null> {
  if (before.deletedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const draft = { ...before, deletedAt: call.now.toISOString() }
  const resolved = (await collection.resolve?.(draft, before, call, {})) ?? draft
  const after = bumpVersion(resolved, call)
  await updateRow(call.db, collection, after, before)
  call.emit(collection.events.deleted, collection.brief(after))
  return null
}
