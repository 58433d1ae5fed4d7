// Creates and updates objects of a collection, by id or by the caller's own id.
import type { ImportedInput } from '#contract/imports.ts'
import { newId } from '#runtime/new-id.ts'
import type { Call } from '../execution/call.ts'
import { assertVersion, assertNoneExpected, existing } from '../execution/preconditions.ts'
import { takeQuota } from '../execution/quotas.ts'
import { bumpVersion, isUnchanged } from '../execution/system-fields.ts'
import { emitChange } from './change-each.ts'
import { asSent, withWholeLists } from './list-edits.ts'
import type { Collection, CollectionHandler, Fields, Resource } from './definition.ts'
import { withHistory } from './imported.ts'
import { resolveDraft, externalIdTaken } from './resolve.ts'
import { insertRow, find, updateRow, findByExternalId, type ExternalKey } from './rows.ts'

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

type UpsertInput = Fields & ExternalKey & { readonly createOnly?: boolean; readonly expectedVersion?: number }

/** Updates the object with this external id, or creates it. Throws `duplicate` when a deleted object has the id. */
export function upsertHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { source, externalId, createOnly = false, ...fields } = input as UpsertInput
    const before = await findByExternalId(call.db, collection, call.workspaceId, { source, externalId })
    if (before === null) {
      const { expectedVersion, ...given } = fields
      assertNoneExpected(expectedVersion, call)
      call.created()
      return await createObject(collection, { ...given, externalSource: source, externalId }, call)
    }
    if (before.deletedAt !== null) throw await externalIdTaken(collection, before, call)
    if (createOnly) throw existing(before)
    return await updateObject(collection, before, fields, call)
  }
}
