import type { Call } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import { expander } from './expand.ts'
import { find, findAny, findByExternalId, notFound, type ExternalKey } from './find.ts'
import type { Resource } from './resource.ts'
import { successorOf } from './outdated-references.ts'
import { assertNotPurged, withHidden } from './visibility.ts'

type GetOptions = { readonly expand?: string[]; readonly includeDeleted?: boolean }

export function getHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { id, ...options } = input as GetOptions & { readonly id: string }
    const searched = options.includeDeleted ? withHidden(collection) : collection
    const found = await findAny(call.db, searched, call.workspaceId, id)
    return await answerFor(collection, found, options, call)
  }
}

export function getByExternalIdHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { source, externalId, ...options } = input as GetOptions & ExternalKey
    const searched = options.includeDeleted ? withHidden(collection) : collection
    const found = await findByExternalId(call.db, searched, call.workspaceId, { source, externalId })
    if (found === null) throw notFound(collection)
    return await answerFor(collection, found, options, call)
  }
}

async function answerFor<R extends Resource>(
  collection: Collection<R>,
  found: R,
  { expand = [], includeDeleted = false }: GetOptions,
  call: Call,
): Promise<unknown> {
  if (includeDeleted) await assertNotPurged(collection, found, call)
  const object = includeDeleted ? found : await orSuccessor(collection, found, call)
  const expanded = await expander(collection, expand, call, [object])
  return expanded(object)
}

/** The object itself or, when it is deleted, the one that has replaced it. Throws `not_found`. */
async function orSuccessor<R extends Resource>(collection: Collection<R>, found: R, call: Call): Promise<R> {
  if (found.deletedAt === null) return found
  const id = await successorOf(collection, found, call)
  if (id === null) throw notFound(collection)
  return await find(call.db, collection, call.workspaceId, id)
}
