// Many calls in one transaction. An item is a call of another operation of the collection: it is checked, permitted and
// carried out as if it had come alone, and rolled back alone when it is refused.
import { Fault, asFault, insufficientScope } from '#contract/faults/fault.ts'
import { problem, type Problem } from '#contract/faults/problem-details.ts'
import { covers } from '#contract/scopes.ts'
import type { Operation } from '#contract/operation.ts'
import type { Call } from '../execution/handler.ts'
import type { FaultOfDatabase } from '../faults/database-fault.ts'
import { assertInput } from '../validation/validate-operation.ts'
import { becauseOfEarlier, isAbout, type RefusedItem } from './batch-dependency.ts'
import * as items from './batch-item.ts'
import type { Item, ItemOperation } from './batch-item.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import { findByExternalId, notFound, type ExternalKey } from './find.ts'
import type { Fields, Resource } from './resource.ts'

export type BatchOperations = {
  readonly batch: Operation
  /** Its input is what an item names an object by, where it does so by the caller's own id. */
  readonly byOwnId: Operation
  readonly items: Readonly<Record<Item['action'], ItemOperation>>
}

type Done = { readonly status: number; readonly data: unknown }
type Result = {
  readonly index: number
  readonly status: number
  readonly externalSource?: string
  readonly externalId?: string
  readonly data?: unknown
  readonly problem?: Problem
}

/** One batch that is under way. */
type Batch<R extends Resource = Resource> = {
  readonly collection: Collection<R>
  readonly operations: BatchOperations
  readonly faultOfDatabase: FaultOfDatabase
  readonly call: Call
  /** Those that a later item may build on. */
  refused: readonly RefusedItem[]
}

/** Answers with one result for each item. Throws `batch_failed` when `atomic` is true and an item was refused. */
export function batchHandler<R extends Resource>(
  collection: Collection<R>,
  operations: BatchOperations,
  faultOfDatabase: FaultOfDatabase,
): CollectionHandler {
  return async (input, call) => {
    const { atomic = false, items: sent } = input as { readonly atomic?: boolean; readonly items: readonly unknown[] }
    const batch: Batch<R> = { collection, operations, faultOfDatabase, call, refused: [] }
    const results: Result[] = []
    for (const [index, each] of sent.entries()) {
      results.push(await resultOf(batch, each, index))
      call.progress(results.length, sent.length)
    }
    const refused = results.filter((result) => result.problem !== undefined)
    if (atomic && refused.length > 0) {
      throw new Fault('batch_failed', `${refused.length} of ${sent.length} items were refused; nothing was changed.`, {
        results: refused,
      })
    }
    return { results }
  }
}

async function resultOf<R extends Resource>(batch: Batch<R>, sent: unknown, index: number): Promise<Result> {
  const { item, fault } = items.entryOf(batch.operations.batch, sent)
  const done = fault ?? (await doneAlone(batch, item, index))
  if (!(done instanceof Fault)) {
    batch.refused = batch.refused.filter((earlier) => !isAbout(earlier, item, done.data))
    return { index, ...(done.data === null && items.ownIdIn(item)), ...done }
  }
  const refusal = becauseOfEarlier(done, item, batch.refused)
  batch.refused = [...batch.refused, { index, item }]
  const { requestId } = batch.call.principal
  return {
    index,
    status: refusal.status,
    ...items.ownIdIn(item),
    problem: problem(items.faultInBatch(refusal, index), requestId, `#/items/${index}`),
  }
}

/** Returns the Fault of an item that is refused, once what it has done is rolled back. */
async function doneAlone<R extends Resource>(batch: Batch<R>, item: Item, index: number): Promise<Done | Fault> {
  const { call, collection, faultOfDatabase } = batch
  const { db } = call
  // Each item is a millisecond later than the one before, so that times stay in the order of changes.
  const part = call.subcall(new Date(call.now.getTime() + index))
  await db.$executeRaw`SAVEPOINT item`
  try {
    const { status, body } = await carryOut(batch, item, part.call)
    await db.$executeRaw`RELEASE SAVEPOINT item`
    const { created } = part.keep()
    return { status: created ? 201 : status, data: body === null ? null : collection.brief(body as R) }
  } catch (thrown) {
    const fault = asFault(faultOfDatabase(thrown))
    if (fault.status >= 500) throw thrown
    await db.$executeRaw`ROLLBACK TO SAVEPOINT item`
    return fault
  }
}

/** Throws Faults that name places in the item. */
async function carryOut<R extends Resource>(batch: Batch<R>, item: Item, call: Call) {
  const { operation, handler } = batch.operations.items[item.action]
  const { scope, success } = operation
  if (scope !== null && !covers(call.principal.scopes, scope)) throw insufficientScope(scope)
  const named = await inItem(batch, batch.operations.byOwnId, item, () => withId(batch, item, call))
  const body = await inItem(batch, operation, item, async () => {
    items.assertNotInData(operation, named)
    return await handler(assertInput(operation, items.inputOf(named)) as Fields, call)
  })
  return { status: success === 204 ? 200 : success, body }
}

/** An update, a deletion and a restore may name the object by the caller's own id, in the place of its id. */
async function withId<R extends Resource>(
  { collection, operations }: Batch<R>,
  item: Item,
  { db, workspaceId }: Call,
): Promise<Item> {
  const { externalSource, externalId, ...rest } = item
  const isNew = item.action === 'create' || item.action === 'upsert'
  if (isNew || item.id !== undefined || (externalSource ?? externalId) === undefined) return item
  const given = {
    ...(externalSource !== undefined && { source: externalSource }),
    ...(externalId !== undefined && { externalId }),
  }
  const key = assertInput(operations.byOwnId, given) as ExternalKey
  const found = await findByExternalId(db, collection, workspaceId, key)
  if (found === null) throw notFound(collection)
  return { ...rest, id: found.id }
}

async function inItem<T>(
  { faultOfDatabase }: Pick<Batch, 'faultOfDatabase'>,
  operation: Operation,
  item: Item,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const fault = asFault(faultOfDatabase(thrown))
    throw fault.status >= 500 ? thrown : items.faultOfItem(fault, operation, item)
  }
}
