// Many calls in one transaction. An item is a call of another operation of the collection: it is checked, permitted and
// carried out as if it had come alone, and rolled back alone when it is refused.
import { batchOwnIdLengthMax } from '#contract/collection/batch.ts'
import { insufficientScope, Fault, asFault, type FieldError } from '#contract/faults/fault.ts'
import { problem, type Problem } from '#contract/faults/problem-details.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { answerFields, parameterNames } from '#contract/route-paths.ts'
import { covers } from '#contract/scopes.ts'
import { earlierItemIn, segmentOfReference } from '#contract/references.ts'
import { assertFieldScopes } from '../execution/authorize.ts'
import type { Call } from '../execution/call.ts'
import { preconditionFields } from '../execution/preconditions.ts'
import type { FaultOfDatabase } from '../faults/database-faults.ts'
import { withPlaces } from '../faults/shared-faults.ts'
import { stepsOf } from '../text/json.ts'
import { UnreadableItem } from '../text/parse-json.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import { referencesIn } from '../validation/references.ts'
import { addressed, assertInput, itemErrors } from '../validation/validate-operation.ts'
import { assertExpanded, shaper, type Shape } from './answers.ts'
import { becauseOfEarlier, isAbout, type RefusedItem } from './batch-dependency.ts'
import { beginItem, keepItem, undoItem } from './change-rows.ts'
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
  readonly faultOfDatabase: FaultOfDatabase
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
  return async (input, call) => {
    const { atomic = false, items: sent, ...shape } = input as BatchInput
    assertExpanded(collection, shape)
    const batch: Batch<R> = { collection, operations, faultOfDatabase, call, refused: [], ids: new Map() }
    const results: ItemResult[] = []
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
    return { results: await shaped(batch, shape, results) }
  }
}

type BatchInput = Shape & { readonly atomic?: boolean; readonly items: readonly unknown[] }

/** What is expanded is loaded for all results at once. */
async function shaped<R extends Resource>(
  { collection, call }: Batch<R>,
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

/** Returns the Fault of an item that is refused, once what it has done is rolled back. */
async function doneAlone<R extends Resource>(batch: Batch<R>, item: Item, index: number): Promise<DoneItem | Fault> {
  const { call, collection, faultOfDatabase } = batch
  const { db } = call
  // Each item is a millisecond later than the one before, so that times stay in the order of changes.
  const part = call.subcall(new Date(call.now.getTime() + index))
  await beginItem(db)
  try {
    const { status, body } = await carryOut(batch, { item, index }, part.call)
    await keepItem(db)
    const { created } = part.keep()
    return { status: created ? 201 : status, ...shownOf(collection, item, body) }
  } catch (thrown) {
    const fault = asFault(faultOfDatabase(thrown))
    if (fault.status >= 500) throw thrown
    await undoItem(db)
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
  const { operation, handler } = batch.operations.items[item.action]
  const { scope, success } = operation
  if (scope !== null && !covers(call.principal.scopes, scope)) throw insufficientScope(scope)
  assertFieldScopes(operation, item.data, call.principal)
  const named = await inItem(batch, batch.operations.byOwnId, item, () => withId(batch, item, call))
  const body = await inItem(batch, operation, item, async () => {
    assertNotInData(operation, named)
    return await handler(
      assertInput(
        operation,
        withEarlier({ segment: batch.collection.segment, ids: batch.ids }, operation, inputOf(named), index),
      ) as Fields,
      call,
    )
  })
  return { status: success === 204 ? 200 : success, body }
}

/** The input with ids in the place of what names earlier items: `#3`. Throws `not_found` or `reference_not_found`. */
function withEarlier(
  { segment, ids }: { readonly segment: string; readonly ids: ReadonlyMap<number, string> },
  operation: Operation,
  input: Fields,
  index: number,
): Fields {
  const replace = referencesIn(operation.input)
  if (replace === null) return input
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

type Item = {
  readonly action: 'create' | 'update' | 'upsert' | 'delete' | 'restore'
  readonly id?: string
  readonly externalSource?: string
  readonly externalId?: string
  readonly expectedVersion?: number
  readonly data?: Fields
}

/** What an item's action stands for. */
export type ItemOperation = { readonly operation: Operation; readonly handler: CollectionHandler }

/** An entry of the list, or what can be told of one that is refused as it is: its members may be anything. */
type Entry =
  | { readonly item: Item; readonly fault: null }
  | { readonly item: Readonly<Record<string, unknown>>; readonly fault: Fault }

/** The places that its fault names begin at the item, as those of all faults in this file. */
function entryOf(batch: Operation, sent: unknown): Entry {
  if (sent instanceof UnreadableItem) return { item: { ...sent.texts, data: sent.dataTexts }, fault: sent.fault }
  const errors = itemErrors(batch, sent)
  // It fits the item's schema.
  if (errors.length === 0) return { item: sent as Item, fault: null }
  return { item: fieldsOf(sent), fault: refusedFields(errors) }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

type OwnId = { readonly externalSource?: string; readonly externalId?: string }

/** What the caller calls the object, as far as the item says it: beside its data or in it. */
function ownIdIn(item: Readonly<Record<string, unknown>>): OwnId {
  const { externalSource, externalId } = { ...fieldsOf(item['data']), ...item }
  return {
    ...(isUpTo(batchOwnIdLengthMax.externalSource, externalSource) && { externalSource }),
    ...(isUpTo(batchOwnIdLengthMax.externalId, externalId) && { externalId }),
  }
}

const isUpTo = (length: number, value: unknown): value is string => typeof value === 'string' && value.length <= length

/** The item as the operation takes it. */
function inputOf({ action, data = {}, ...beside }: Item): Fields {
  if (action !== 'upsert') return { ...data, ...beside }
  const { externalSource, ...rest } = beside
  return { ...data, ...rest, ...(externalSource !== undefined && { source: externalSource }) }
}

/** Refuses fields in `data` that belong beside it: of two values, one would be dropped. */
function assertNotInData(operation: Operation, { data = {}, ...beside }: Item): void {
  const elsewhere = new Set([
    ...[...parameterNames(pathOf(operation)), ...answerFields, ...preconditionFields],
    ...Object.keys(beside),
  ])
  const misplaced = Object.keys(data).filter((name) => elsewhere.has(name))
  if (misplaced.length > 0) throw refusedFields(misplaced.map((name) => unknownField('/data', name, [])))
}

/** The fault of the call as that of the item. */
function faultOfItem(fault: Fault, operation: Operation, item: Item): Fault {
  // An item has no parameters: all its values are in the body.
  const code = fault.code === 'invalid_parameter' ? 'validation_failed' : fault.code
  return withPlaces(new Fault(code, fault.message, fault.members, fault.cause), (pointer) =>
    pointerInItem(pointer, operation, item),
  )
}

/** The fault of an item as one of the batch. */
const faultInBatch = (fault: Fault, index: number): Fault => withPlaces(fault, (pointer) => `/items/${index}${pointer}`)

/** What a single call has in its path, an item has beside its data. */
function pointerInItem(pointer: string, operation: Operation, item: Item): string {
  const [field = ''] = stepsOf(pointer)
  if (field === 'source') return '/externalSource'
  const isBeside = Object.hasOwn(item, field) || parameterNames(pathOf(operation)).includes(field)
  return isBeside ? pointer : `/data${pointer}`
}
