// Every operation of every collection bound to its handler.
import type { OperationName } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import type { Handlers } from '../execution/call.ts'
import type { FaultOfDatabase } from '../faults/database-faults.ts'
import { shapingAnswer } from './answers.ts'
import { batchHandler, type ItemOperation } from './batch.ts'
import { countHandler } from './count.ts'
import type { Collection, CollectionAction, CollectionHandler, EachCollection, Resource } from './definition.ts'
import { deleteByExternalIdHandler, deleteHandler, purgeHandler, restoreHandler } from './delete.ts'
import { historyHandler } from './history.ts'
import type { Pager } from './pagination.ts'
import { getByExternalIdHandler, getHandler, listHandler } from './read.ts'
import { upsertHandler } from './upsert.ts'
import { createHandler, removeExternalIdHandler, setExternalIdHandler, updateHandler } from './write.ts'

type Names = Extract<OperationName, `${CollectionSegment}.${CollectionAction | 'history'}`>

export type CollectionDeps = {
  readonly pager: Pager
  readonly faultOfDatabase: FaultOfDatabase
  /** Throws where the contract has none of this name. */
  readonly operationNamed: (name: string) => Operation
  /** The handler, for input that names objects otherwise than by their ids. */
  readonly resolvingNames: (operation: Operation, handler: CollectionHandler) => CollectionHandler
}

export function collectionHandlers(eachCollection: EachCollection, parts: CollectionDeps): Pick<Handlers, Names> {
  const named = eachCollection((collection) => Object.entries(handlersOf(collection, eachCollection, parts)))
  // `eachCollection` visits every segment, and the `operations` of its collection have every name. What
  // the handlers take and return is checked against their operations when they are called (execution/execute.ts).
  return Object.fromEntries<unknown>(named.flat()) as Pick<Handlers, Names>
}

/** The handlers of one collection by their operations' full names. */
export function handlersOf<R extends Resource>(
  collection: Collection<R>,
  eachCollection: EachCollection,
  { pager, faultOfDatabase, operationNamed, resolvingNames }: CollectionDeps,
): Readonly<Record<string, CollectionHandler>> {
  const { operations } = collection
  const single = {
    create: createHandler(collection),
    update: updateHandler(collection),
    upsert: upsertHandler(collection, eachCollection),
    delete: deleteHandler(collection),
    restore: restoreHandler(collection, eachCollection),
  }
  const ofItems = (action: keyof typeof single): ItemOperation => {
    const operation = operationNamed(operations[action])
    return { operation, handler: resolvingNames(operation, single[action]) }
  }
  const handlers = {
    ...single,
    create: shapingAnswer(collection, single.create),
    update: shapingAnswer(collection, single.update),
    upsert: shapingAnswer(collection, single.upsert),
    restore: shapingAnswer(collection, single.restore),
    purge: purgeHandler(collection),
    list: listHandler(collection, pager),
    get: getHandler(collection),
    'get-by-external-id': getByExternalIdHandler(collection),
    'delete-by-external-id': deleteByExternalIdHandler(collection),
    'set-external-id': setExternalIdHandler(collection),
    'remove-external-id': removeExternalIdHandler(collection),
    count: countHandler(collection),
    batch: batchHandler(
      collection,
      {
        items: {
          create: ofItems('create'),
          update: ofItems('update'),
          upsert: ofItems('upsert'),
          delete: ofItems('delete'),
          restore: ofItems('restore'),
        },
        batch: operationNamed(operations.batch),
        byOwnId: operationNamed(operations['get-by-external-id']),
      },
      faultOfDatabase,
    ),
  } satisfies Record<CollectionAction, CollectionHandler>
  const named = Object.entries(handlers).map(([action, handler]): [string, CollectionHandler] => [
    operations[action as CollectionAction],
    handler,
  ])
  const ofHistory: [string, CollectionHandler][] =
    operations.history === undefined ? [] : [[operations.history, historyHandler(collection, pager)]]
  return Object.fromEntries([...named, ...ofHistory])
}
