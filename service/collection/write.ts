// Creates and updates objects of a collection by id, and sets their ids in other systems.
import type { ImportedInput } from '#contract/imports.ts'
import { newId } from '#runtime/new-id.ts'
import type { Call } from '../execution/call.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { takeQuota } from '../execution/quotas.ts'
import { bumpVersion, isUnchanged } from '../execution/system-fields.ts'
import { emitChange } from './change-each.ts'
import { asSent, withWholeLists } from './list-edits.ts'
import type { Collection, CollectionHandler, Fields, Resource } from './definition.ts'
import { withHistory } from './imported.ts'
import { resolveDraft } from './resolve.ts'
import { insertRow, find, updateRow } from './rows.ts'
import { withIdIn, withoutIdsIn } from './rules.ts'

export const createHandler =
  <R extends Resource>(collection: Collection<R>): CollectionHandler =>
  (input, call) =>
    createObject(collection, input, call)

type Written = Fields & { readonly imported?: ImportedInput }

export async function createObject<R extends Resource>(
  collection: Collection<R>,
  { imported, ...input }: Written,
  call: Call,
): Promise<R> {
  const { workspaceId, actor, now } = call
  const given = withWholeLists(collection, {}, input)
  const resolved = await asSent(input, given, async () => {
    const made = collection.draft(given, { id: newId(now), workspaceId, actor, now })
    const draft = withHistory(made, null, imported, call)
    return await resolveDraft(collection, draft, null, given, call)
  })
  takeQuota(call.quotaRoom, 'objects', 1)
  takeQuota(call.quotaRoom, 'documentBytes', collection.contentBytes?.(resolved) ?? 0)
  const created = await insertRow(call.db, collection, resolved)
  await emitChange(collection, { action: 'created', after: created, origin: imported && 'import' }, call)
  return created
}

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
  { expectedVersion, imported, ...sent }: Written & { readonly expectedVersion?: number },
  call: Call,
): Promise<R> {
  assertVersion(before, expectedVersion, call)
  const { workspaceId, actor, now } = call
  const patch = withWholeLists(collection, before, sent)
  const next = await asSent(sent, patch, async () => {
    const patched = collection.applyPatch(before, patch, { id: before.id, workspaceId, actor, now })
    const draft = withHistory(patched, before, imported, call)
    return await resolveDraft(collection, draft, before, patch, call)
  })
  if (isUnchanged(before, next)) return before
  const { contentBytes } = collection
  if (contentBytes !== undefined) takeQuota(call.quotaRoom, 'documentBytes', contentBytes(next) - contentBytes(before))
  const after = bumpVersion(next, call)
  await updateRow(call.db, collection, after, before)
  await emitChange(collection, { action: 'updated', after, before, origin: imported && 'import' }, call)
  await collection.afterUpdate?.(after, before, call)
  return after
}

type OwnIdInput = { readonly id: string; readonly source: string; readonly expectedVersion?: number }

/** Sets the id of the object in one system, whatever ids it has in others. */
export function setExternalIdHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { id, source, externalId, ...rest } = input as OwnIdInput & { readonly externalId: string }
    const before = await find(call.db, collection, call.workspaceId, id)
    const { externalIds } = withIdIn(before, { source, id: externalId })
    return await updateObject(collection, before, { ...rest, externalIds }, call)
  }
}

export function removeExternalIdHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { id, source, ...rest } = input as OwnIdInput
    const before = await find(call.db, collection, call.workspaceId, id)
    const { externalIds } = withoutIdsIn(before, source)
    return await updateObject(collection, before, { ...rest, externalIds }, call)
  }
}
