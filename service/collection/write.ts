import { Fault } from '#contract/fault.ts'
import { restoreWindowDays } from '#contract/size-limits.ts'
import type { Call } from '../execution/handler.ts'
import { assertNoneExpected, assertVersion, existing } from '../execution/preconditions.ts'
import type { Collection, CollectionHandler, Resource, Fields } from './definition.ts'
import { assertNotPurged } from './deleted.ts'
import { find, findAny, findByExternalId, missing, update as write } from './rows.ts'
import { change, make } from './save.ts'
import { takenBy } from './duplicate.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

const dayMs = 86_400_000

type Given = Fields & { readonly id: string; readonly expectedVersion?: number }
type Keyed = Fields & { readonly source: string; readonly externalId: string; readonly expectedVersion?: number }

export const create =
  <R extends Resource>(collection: Collection<R>): CollectionHandler =>
  async (given, call) =>
    await make(collection, given, call)

export function update<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { id, ...patch } = given as Given
    const before = await find(call.db, collection, call.workspaceId, id)
    return await change(collection, before, patch, call)
  }
}

export function upsert<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { source, externalId, createOnly = false, ...fields } = given as Keyed
    const before = await findByExternalId(call.db, collection, call.workspaceId, { source, externalId })
    if (before === null) {
      const { expectedVersion, ...input } = fields
      assertNoneExpected(expectedVersion, call)
      call.created()
      return await make(collection, { ...input, externalSource: source, externalId }, call)
    }
    if (before.deletedAt !== null) throw takenBy(collection, before)
    if (createOnly === true) throw existing(before)
    return await change(collection, before, fields, call)
  }
}

export function remove<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { id, expectedVersion } = given as Given
    const before = await findAny(call.db, collection, call.workspaceId, id)
    return await removed(collection, before, expectedVersion, call)
  }
}

export function removeByExternalId<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { expectedVersion, ...key } = given as Keyed
    const before = await findByExternalId(call.db, collection, call.workspaceId, key)
    if (before === null) throw missing(collection)
    return await removed(collection, before, expectedVersion, call)
  }
}

export function restore<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const before = await findAny(call.db, collection, call.workspaceId, (given as Given).id)
    assertRestorable(collection, before, call.now)
    await assertNotPurged(collection, before, call)
    const back = { ...before, deletedAt: null }
    const resolved = (await collection.resolve?.(back, before, call, {})) ?? back
    const after = bumpVersion(resolved, call)
    await write(call.db, collection, after, before)
    call.emit(collection.events.restored, collection.brief(after))
    return after
  }
}

async function removed<R extends Resource>(
  collection: Collection<R>,
  before: R,
  expectedVersion: number | undefined,
  call: Call,
): Promise<null> {
  if (before.deletedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const gone = { ...before, deletedAt: call.now.toISOString() }
  const resolved = (await collection.resolve?.(gone, before, call, {})) ?? gone
  const after = bumpVersion(resolved, call)
  await write(call.db, collection, after, before)
  call.emit(collection.events.deleted, collection.brief(after))
  return null
}

function assertRestorable({ noun }: Pick<Collection, 'noun'>, { deletedAt }: Resource, now: Date): void {
  if (deletedAt === null) throw new Fault('not_deleted', `This ${noun} is not deleted.`)
  if (now.getTime() - Date.parse(deletedAt) <= restoreWindowDays * dayMs) return
  throw new Fault('purged', `It was deleted more than ${restoreWindowDays} days ago.`)
}
