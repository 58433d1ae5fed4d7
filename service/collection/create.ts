import { newId } from '#runtime/new-id.ts'
import type { Call } from '../execution/handler.ts'
import { takeQuota } from '../execution/quotas.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import type { Fields, Resource } from './resource.ts'
import { resolveDraft } from './resolve.ts'
import { insertRow } from './write-rows.ts'

export const createHandler =
  <R extends Resource>(collection: Collection<R>): CollectionHandler =>
  (input, call) =>
    createObject(collection, input, call)

export async function createObject<R extends Resource>(
  collection: Collection<R>,
  input: Fields,
  call: Call,
): Promise<R> {
  const { workspaceId, actor, now } = call
  const draft = collection.draft(input, { id: newId(now), workspaceId, actor, now })
  const resolved = await resolveDraft(collection, draft, null, input, call)
  takeQuota(call.quotaRoom, 'objects', 1)
  takeQuota(call.quotaRoom, 'documentBytes', collection.contentBytes?.(resolved) ?? 0)
  const created = await insertRow(call.db, collection, resolved)
  call.emit(collection.events.created, collection.brief(created))
  return created
}
