import { Fault } from '#contract/faults/fault.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'
import type { Collection } from './define.ts'
import type { EachCollection } from './each-collection.ts'
import { findAny } from './find.ts'
import { reopenHidden, withCurrentReferences } from './outdated-references.ts'
import type { CollectionHandler } from './definition.ts'
import type { Resource } from './resource.ts'
import { assertNotPurged } from './visibility.ts'
import { updateRow } from './write-rows.ts'
import { restoreWindowDays } from '#contract/collection/operations.ts'

const dayMs = 86_400_000

export function restoreHandler<R extends Resource>(
  collection: Collection<R>,
  eachCollection: EachCollection,
): CollectionHandler {
  return async (input, call) => {
    const { id } = input as { readonly id: string }
    const before = await findAny(call.db, collection, call.workspaceId, id)
    assertRestorable(collection, before, call.now)
    await assertNotPurged(collection, before, call)
    const current = await withCurrentReferences(collection, before, call)
    const draft = { ...current, deletedAt: null }
    const resolved = (await collection.resolve?.(draft, before, call, {})) ?? draft
    const after = bumpVersion(resolved, call)
    await updateRow(call.db, collection, after, before)
    call.emit(collection.events.restored, collection.brief(after))
    await reopenHidden(eachCollection, collection, after, call)
    return after
  }
}

function assertRestorable({ noun }: Pick<Collection, 'noun'>, { deletedAt }: Resource, now: Date): void {
  if (deletedAt === null) throw new Fault('not_deleted', `This ${noun} is not deleted.`)
  if (now.getTime() - Date.parse(deletedAt) <= restoreWindowDays * dayMs) return
  throw new Fault('purged', `It was deleted more than ${restoreWindowDays} days ago.`)
}
