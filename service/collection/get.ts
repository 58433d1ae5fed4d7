import type { Call } from '../execution/handler.ts'
import type { Collection, CollectionHandler, Fields, Resource } from './definition.ts'
import { assertNotPurged, unhidden } from './deleted.ts'
import { expander } from './expand.ts'
import { find, findAny, findByExternalId, findIdentified, missing } from './rows.ts'

type Asked = {
  readonly id: string
  readonly source: string
  readonly externalId: string
  readonly expand?: string[]
  readonly includeDeleted?: boolean
}

export function get<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { id, expand = [], includeDeleted = false } = given as Asked
    const among = includeDeleted ? unhidden(collection) : collection
    const found = await (isId(id) ? findAny : findIdentified)(call.db, among, call.workspaceId, id)
    return await shown(collection, await present(collection, found, includeDeleted, call), expand, call)
  }
}

export function getByExternalId<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { expand = [], includeDeleted = false, ...key } = given as Asked
    const among = includeDeleted ? unhidden(collection) : collection
    const found = await findByExternalId(call.db, among, call.workspaceId, key)
    if (found === null) throw missing(collection)
    return await shown(collection, await present(collection, found, includeDeleted, call), expand, call)
  }
}

/** The operation takes nothing else but an id where the collection has no identifiers. */
const isId = (text: string): boolean => text.length === 36

/** The object itself or, where it is gone and not asked for as such, what has taken its place. */
async function present<R extends Resource>(
  collection: Collection<R>,
  found: R,
  includeDeleted: boolean,
  call: Call,
): Promise<R> {
  if (includeDeleted) await assertNotPurged(collection, found, call)
  if (includeDeleted || found.deletedAt === null) return found
  const id = collection.successorId?.(found) ?? null
  if (id === null) throw missing(collection)
  return await find(call.db, collection, call.workspaceId, id)
}

async function shown<R extends Resource>(
  collection: Collection<R>,
  found: R,
  expand: readonly string[],
  call: Call,
): Promise<Fields> {
  const expanded = await expander(collection, expand, call, [found])
  return expanded(found)
}
