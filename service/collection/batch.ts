// Many calls in one transaction. An item is a call of another operation of the collection: it is checked, permitted and
// carried out as if it had come alone, and rolled back alone when it is refused. Hardly any item is refused once it has
// changed something, so none has a savepoint at first; where one is, all are done again, each with a savepoint.
import { insufficientScope, Fault, asFault, type FieldError } from '#contract/faults/fault.ts'
import { problem, type Problem } from '#contract/faults/problem-details.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { answerFields, parameterNames } from '#contract/route-paths.ts'
import { covers } from '#contract/scopes.ts'
import { earlierItemIn, segmentOfReference } from '#contract/references.ts'
import { marksOf } from '#prisma/transaction.ts'
import { assertFieldScopes } from '../execution/authorize.ts'
import type { Call } from '../execution/call.ts'
import { preconditionFields } from '../execution/preconditions.ts'
import type { QuotaRoom } from '../execution/quotas.ts'
import type { FaultOfDatabase } from '../faults/database-faults.ts'
import { stepsOf } from '../text/json.ts'
import { referencesIn, type ReplaceReferences } from '../validation/references.ts'
import { addressed, assertInput } from '../validation/validate-operation.ts'
import { assertExpanded, shaper, type Shape } from './answers.ts'
import {
  assertNotInData,
  entryOf,
  externalKeyIn,
  faultInBatch,
  faultOfItem,
  fieldsOf,
  inputOf,
  ownIdIn,
  type Item,
} from './batch-item.ts'
import { becauseOfEarlier, isAbout, type RefusedItem } from './batch-dependency.ts'
import { beginItem, keepItem, undoItem } from './change-rows.ts'
import { findFree } from './free-external-ids.ts'
import type { Collection, CollectionHandler, Fields, Resource } from './definition.ts'
import { findByExternalId, notFound, type ExternalKey } from './rows.ts'
import type { UpsertResult } from './upsert.ts'

export type BatchOperations = {
  readonly batch: Operation
  /** Its input is what an item names an object by, where it does so by the caller's own id. */
  readonly byOwnId: Operation
  readonly items: Readonly<Record<Item['action'], ItemOperation>>
}

type DoneItem = { readonly status: number; readonly data: unknown } & Partial<UpsertResult>
type ItemResult = {
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
  readonly actions: Actions
  readonly faultOfDatabase: FaultOfDatabase
  /** Whether each item has one. */
  readonly savepoints: boolean
  readonly call: Call
  /** Those that a later item may build on. */
  refused: readonly RefusedItem[]
  /** The ids of the objects that items have made or changed, by the index of the item. */
  readonly ids: Map<number, string>
}

/** Answers with one result for each item. Throws `batch_failed` when `atomic` is true and an item was refused. */
export function batchHandler<R extends Resource>(
  collection: Collection<R>,
  operations: BatchOperations,
  faultOfDatabase: FaultOfDatabase,
): CollectionHandler {
  const actions = actionsOf(operations)
  return async (input, call) => {
    const { atomic = false, items: sent, ...shape } = input as BatchInput
    assertExpanded(collection, shape)
    let reported = 0
    const progress = (done: number): void => {
      if (done > reported) call.progress((reported = done), sent.length)
    }
    const begin = (part: Call, savepoints: boolean): Batch<R> => ({
      ...{ collection, operations, actions, faultOfDatabase, savepoints },
      ...{ call: part, refused: [], ids: new Map() },
    })
    const results =
      (await attempt(call, (part) => resultsOf(begin(part, false), sent, progress))) ??
      (await resultsOf(begin(call, true), sent, progress))
    const refused = results.filter((result) => result.problem !== undefined)
    if (atomic && refused.length > 0) {
      throw new Fault('batch_failed', `${refused.length} of ${sent.length} items failed. Nothing was changed.`, {
        results: refused,
      })
    }
    return { results: await shaped(collection, call, shape, results) }
  }
}

/** An item was refused after it had changed something. */
class Unfinished extends Error {}

/** Returns null where an item has left something to roll back: then nothing is left of any of them. */
async function attempt<T>(call: Call, work: (part: Call) => Promise<T>): Promise<T | null> {
  const room = { ...call.quotaRoom }
  const part = call.subcall(call.now)
  await beginItem(call.db)
  try {
    const done = await work(part.call)
    part.keep()
    return done
  } catch (thrown) {
    if (!(thrown instanceof Unfinished)) throw thrown
    await undoItem(call.db)
    giveBack(call, room)
    return null
  }
}

/** What was taken of the quotas since there was this much room. */
function giveBack({ quotaRoom }: Call, room: Partial<QuotaRoom>): void {
  if (quotaRoom !== null) Object.assign(quotaRoom, room)
}

async function resultsOf<R extends Resource>(
  batch: Batch<R>,
  sent: readonly unknown[],
  progress: (done: number) => void,
): Promise<readonly ItemResult[]> {
  const { collection, call } = batch
  await findFree(collection, sent.flatMap(externalKeyIn), call)
  const results: ItemResult[] = []
  for (const [index, each] of sent.entries()) {
    results.push(await resultOf(batch, each, index))
    progress(results.length)
  }
  return results
}

type BatchInput = Shape & { readonly atomic?: boolean; readonly items: readonly unknown[] }

/** What is expanded is loaded for all results at once. */
async function shaped<R extends Resource>(
  collection: Collection<R>,
  call: Call,
  shape: Shape,
  results: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  // The data of an item that was done and is no deletion is an object.
  const objectOf = ({ data }: ItemResult): R | null => (data ?? null) as R | null
  const shown = await shaper(
    collection,
    shape,
    call,
    results.flatMap((result) => objectOf(result) ?? []),
  )
  return results.map((result) => {
    const object = objectOf(result)
    return object === null ? result : { ...result, data: shown(object) }
  })
}

async function resultOf<R extends Resource>(batch: Batch<R>, sent: unknown, index: number): Promise<ItemResult> {
  const { item, fault } = entryOf(batch.operations.batch, sent)
  const done = fault ?? (await doneAlone(batch, item, index))
  if (!(done instanceof Fault)) {
    batch.refused = batch.refused.filter((earlier) => !isAbout(earlier, item, done.data))
    const { id } = fieldsOf(done.data)
    if (typeof id === 'string') batch.ids.set(index, id)
    return { index, ...(done.data === null && ownIdIn(item)), ...done }
  }
  const refusal = becauseOfEarlier(done, item, batch.refused)
  batch.refused = [...batch.refused, { index, item }]
  const { requestId } = batch.call.principal
  return {
    index,
    status: refusal.status,
    ...ownIdIn(item),
    problem: problem(faultInBatch(refusal, index), requestId, `#/items/${index}`),
  }
}

/**
 * Returns the Fault of an item that is refused, once what it has done is rolled back. Throws `Unfinished` where that
 * needs a savepoint, and there is none.
 */
async function doneAlone<R extends Resource>(batch: Batch<R>, item: Item, index: number): Promise<DoneItem | Fault> {
  const { call, collection, faultOfDatabase, savepoints } = batch
  const { db } = call
  // Each item is a millisecond later than the one before, so that times stay in the order of changes.
  const part = call.subcall(new Date(call.now.getTime() + index))
  const room = { ...call.quotaRoom }
  if (savepoints) await beginItem(db)
  const marks = marksOf(db)
  try {
    const { status, body } = await carryOut(batch, { item, index }, part.call)
    if (savepoints) await keepItem(db)
    const { created } = part.keep()
    return { status: created ? 201 : status, ...shownOf(collection, item, body) }
  } catch (thrown) {
    const fault = asFault(faultOfDatabase(thrown))
    if (fault.status >= 500) throw thrown
    if (savepoints) await undoItem(db)
    else if (marksOf(db) !== marks) throw new Unfinished()
    giveBack(call, room)
    return fault
  }
}

/** What an upsert did stands beside the object. */
function shownOf<R extends Resource>(
  { brief }: Collection<R>,
  { action }: Item,
  body: unknown,
): Pick<DoneItem, 'data'> & Partial<UpsertResult> {
  if (body === null) return { data: null }
  if (action !== 'upsert') return { data: brief(body as R) }
  const { outcome, matchedBy, ...object } = body as R & UpsertResult
  // What is left is the object.
  return { outcome, matchedBy, data: brief(object as Resource as R) }
}

type IndexedItem = { readonly item: Item; readonly index: number }

/** Throws Faults that name places in the item. */
async function carryOut<R extends Resource>(batch: Batch<R>, { item, index }: IndexedItem, call: Call) {
  const { operation, handler, besideData, replace } = batch.actions[item.action]
  const { scope, success } = operation
  if (scope !== null && !covers(call.principal.scopes, scope)) throw insufficientScope(scope)
  assertFieldScopes(operation, item.data, call.principal)
  const named = await inItem(batch, batch.operations.byOwnId, item, () => withId(batch, item, call))
  const body = await inItem(batch, operation, item, async () => {
    assertNotInData(besideData, named)
    const whole = replace === null ? inputOf(named) : withEarlier(batch, { operation, replace }, inputOf(named), index)
    return await handler(assertInput(operation, whole) as Fields, call)
  })
  return { status: success === 204 ? 200 : success, body }
}

/** The input with ids in the place of what names earlier items: `#3`. Throws `not_found` or `reference_not_found`. */
function withEarlier<R extends Resource>(
  { collection: { segment }, ids }: Batch<R>,
  { operation, replace }: { readonly operation: Operation; readonly replace: ReplaceReferences },
  input: Fields,
  index: number,
): Fields {
  const errors: FieldError[] = []
  const replaced = replace(input, ({ kind, name, pointer }) => {
    const earlier = segmentOfReference[kind] === segment ? earlierItemIn(name) : null
    if (earlier === null) return name
    const id = ids.get(earlier)
    if (id === undefined) errors.push({ pointer, code: 'not_found', detail: whyNone(earlier, index) })
    return id ?? name
  }) as Fields
  const [first] = errors
  if (first === undefined) return replaced
  const code = addressed(operation).includes(stepsOf(first.pointer ?? '')[0] ?? '')
    ? 'not_found'
    : 'reference_not_found'
  throw new Fault(code, `${first.pointer}: ${first.detail}`, { errors })
}

const whyNone = (earlier: number, index: number): string =>
  earlier < index
    ? `Item ${earlier} has left no object.`
    : `Item ${earlier} is no earlier item: this one is item ${index}.`

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
    throw fault.status >= 500 ? thrown : faultOfItem(fault, operation, item)
  }
}

/** The operation of an action. */
export type ItemOperation = { readonly operation: Operation; readonly handler: CollectionHandler }

type Actions = Readonly<Record<Item['action'], ReturnType<typeof actionOf>>>

const actionsOf = ({ items }: BatchOperations): Actions => ({
  create: actionOf(items.create),
  update: actionOf(items.update),
  upsert: actionOf(items.upsert),
  delete: actionOf(items.delete),
  restore: actionOf(items.restore),
})

const actionOf = ({ operation, handler }: ItemOperation) => ({
  operation,
  handler,
  replace: referencesIn(operation.input),
  besideData: new Set([...parameterNames(pathOf(operation)), ...answerFields, ...preconditionFields]),
})
