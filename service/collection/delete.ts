// Deletes, restores and purges objects of a collection. Deleting marks the row with the time: it can be restored until
// the clean-up deletes it for good. A purge erases a deleted object before its 30 days are over: its row stays until
// then as a tombstone that holds nothing but the version and the time of the deletion, so that callers who keep a copy
// still learn of the deletion.
import { restoreWindowDays } from '#contract/collection/operations.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Call } from '../execution/call.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { assertNoLegalHold } from '../execution/legal-hold-rows.ts'
import { emitChange } from './change-each.ts'
import { markPurged } from './change-rows.ts'
import type { Collection, CollectionHandler, Resource, EachCollection } from './definition.ts'
import { withoutHistory } from './imported.ts'
import { reopenHidden, withCurrentReferences } from './outdated-references.ts'
import {
  findAny,
  findByExternalId,
  notFound,
  updateRow,
  assertNotPurged,
  deletedProjectOf,
  withHidden,
  type ExternalKey,
} from './rows.ts'

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
export async function deleteObject<R extends Resource>(
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
  await emitChange(collection, { action: 'deleted', after }, call)
  return null
}

const dayMs = 86_400_000

export function restoreHandler<R extends Resource>(
  collection: Collection<R>,
  eachCollection: EachCollection,
): CollectionHandler {
  return async (input, call) => {
    const { id } = input as { readonly id: string }
    const before = await findAny(call.db, collection, call.workspaceId, id)
    return await restoreObject(collection, eachCollection, before, call)
  }
}

export async function restoreObject<R extends Resource>(
  collection: Collection<R>,
  eachCollection: EachCollection,
  before: R,
  call: Call,
): Promise<R> {
  assertRestorable(collection, before, call.now)
  await assertNotPurged(collection, before, call)
  const current = await withCurrentReferences(collection, before, call)
  const draft = { ...current, deletedAt: null }
  const resolved = (await collection.resolve?.(draft, before, call, {})) ?? draft
  const after = bumpVersion(resolved, call)
  await updateRow(call.db, collection, after, before)
  await emitChange(collection, { action: 'restored', after }, call)
  await reopenHidden(eachCollection, collection, after, call)
  return after
}

function assertRestorable({ noun }: Pick<Collection, 'noun'>, { deletedAt }: Resource, now: Date): void {
  if (deletedAt === null) throw new Fault('not_deleted', `This ${noun} is not deleted.`)
  if (now.getTime() - Date.parse(deletedAt) <= restoreWindowDays * dayMs) return
  throw new Fault('purged', `It was deleted more than ${restoreWindowDays} days ago.`)
}

export function purgeHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { id } = given as { readonly id: string }
    const before = await findAny(call.db, withHidden(collection), call.workspaceId, id)
    if (before.deletedAt === null) throw await notDeleted(collection, before, call)
    await assertNoLegalHold(call.db, call.workspaceId)
    if ((await markPurged(call.db, collection.table, before, call.now)) === 0) return null
    await updateRow(call.db, collection, withoutHistory(collection.erased(before)), before)
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

async function deleteComments(
  { commentedAs }: Pick<Collection, 'commentedAs'>,
  { id }: Resource,
  { db, workspaceId }: Call,
): Promise<void> {
  if (commentedAs !== undefined) await db.comment.deleteMany({ where: { workspaceId, [commentedAs]: id } })
}
