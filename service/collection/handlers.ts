// Every operation of a collection bound to its function.
import { operationNamed, type OperationName } from '#contract/api.ts'
import type { CollectionSegment } from '#contract/collection/collection.ts'
import type { Handlers } from '../execution/handler.ts'
import type { FaultOfDatabase } from '../faults/database-fault.ts'
import type { Pager } from '../lists/pagination.ts'
import { batch, type Sibling } from './bulk.ts'
import { count } from './count.ts'
import type { EachCollection } from './each-collection.ts'
import type { Collection, CollectionHandler, Resource } from './definition.ts'
import { get, getByExternalId } from './get.ts'
import { list } from './list.ts'
import { purge } from './purge.ts'
import { create, remove, removeByExternalId, restore, update, upsert } from './write.ts'

type Action =
  | 'list'
  | 'get'
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'purge'
  | 'get-by-external-id'
  | 'upsert'
  | 'delete-by-external-id'
  | 'batch'
  | 'count'
type Names = Extract<OperationName, `${CollectionSegment}.${Action}`>

type Parts = { readonly pager: Pager; readonly faultOfDatabase: FaultOfDatabase }

export function collectionHandlers(eachCollection: EachCollection, parts: Parts): Pick<Handlers, Names> {
  const named = eachCollection((collection) => Object.entries(handlersOf(collection, parts)))
  // The names are put together from the segments: that the object has them all, the compiler cannot see.
  return Object.fromEntries<unknown>(named.flat()) as Pick<Handlers, Names>
}

/** By the operation's full name. */
function handlersOf<R extends Resource>(
  collection: Collection<R>,
  { pager, faultOfDatabase }: Parts,
): Readonly<Record<string, CollectionHandler>> {
  const { segment } = collection
  const acting = {
    create: create(collection),
    update: update(collection),
    upsert: upsert(collection),
    delete: remove(collection),
    restore: restore(collection),
  }
  const sibling = (action: keyof typeof acting): Sibling => ({
    operation: operationNamed(`${segment}.${action}`),
    handler: acting[action],
  })
  const handlers = {
    ...acting,
    purge: purge(collection),
    list: list(collection, pager),
    get: get(collection),
    'get-by-external-id': getByExternalId(collection),
    'delete-by-external-id': removeByExternalId(collection),
    count: count(collection),
    batch: batch(
      collection,
      {
        create: sibling('create'),
        update: sibling('update'),
        upsert: sibling('upsert'),
        delete: sibling('delete'),
        restore: sibling('restore'),
      },
      faultOfDatabase,
    ),
  } satisfies Record<Action, CollectionHandler>
  return Object.fromEntries(Object.entries(handlers).map(([action, handler]) => [`${segment}.${action}`, handler]))
}
