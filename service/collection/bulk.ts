// Many calls in one transaction. An item is the call of a sibling operation: checked, permitted and acted on as if it
// had come alone, and undone alone when it is refused.
import { Fault, asFault, problem, type FieldError } from '#contract/fault.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route.ts'
import { covers } from '#contract/scope.ts'
import type { FaultOfDatabase } from '../faults/database-fault.ts'
import { fieldsRefused, unknownField } from '../validation/unknown-field.ts'
import type { Call } from '../execution/handler.ts'
import { preconditionFields } from '../execution/preconditions.ts'
import { stepsOf } from '../text/json-pointer.ts'
import { assertInput } from '../validation/validate-operation.ts'
import type { Collection, CollectionHandler, Fields, Resource } from './definition.ts'

type Item = {
  readonly action: 'create' | 'update' | 'upsert' | 'delete' | 'restore'
  readonly id?: string
  readonly externalSource?: string
  readonly externalId?: string
  readonly expectedVersion?: number
  readonly data?: Fields
}
export type Sibling = {
  readonly operation: Operation
  readonly handler: CollectionHandler
}
export type Siblings = Readonly<Record<Item['action'], Sibling>>

type Outcome = { readonly index: number; readonly status: number; readonly data?: unknown; readonly problem?: unknown }

/** Answers hold each object as `brief` shows it. */
export function batch<R extends Resource>(
  { brief }: Collection<R>,
  siblings: Siblings,
  faultOfDatabase: FaultOfDatabase,
): CollectionHandler {
  return async (given, call) => {
    const { atomic = false, items } = given as { readonly atomic?: boolean; readonly items: readonly Item[] }
    const results: Outcome[] = []
    for (const [index, item] of items.entries()) {
      const tried = { sibling: siblings[item.action], item, index }
      results.push(await outcomeOf(tried, call, faultOfDatabase))
    }
    const refused = results.filter((result) => result.problem !== undefined)
    if (atomic && refused.length > 0) {
      throw new Fault('batch_failed', `${refused.length} of ${items.length} items were refused; nothing was changed.`, {
        results: refused,
      })
    }
    return {
      results: results.map((result) => (isShown(result) ? { ...result, data: brief(result.data as R) } : result)),
    }
  }
}

/** What a deletion answers is null. */
const isShown = ({ data }: Outcome): boolean => data !== undefined && data !== null

type Tried = { readonly sibling: Sibling; readonly item: Item; readonly index: number }

async function outcomeOf(
  { sibling, item, index }: Tried,
  call: Call,
  faultOfDatabase: FaultOfDatabase,
): Promise<Outcome> {
  const { db } = call
  // Each item is a moment after the one before, so that times stay in the order of changes.
  const part = call.subcall(new Date(call.now.getTime() + index))
  await db.$executeRaw`SAVEPOINT item`
  try {
    const { status, body } = await acted(sibling, item, part.call)
    await db.$executeRaw`RELEASE SAVEPOINT item`
    const { created } = part.keep()
    return { index, status: created ? 201 : status, data: body }
  } catch (thrown) {
    const fault = inItem(asFault(faultOfDatabase(thrown)), sibling, item, index)
    if (fault.status >= 500) throw thrown
    await db.$executeRaw`ROLLBACK TO SAVEPOINT item`
    return { index, status: fault.status, problem: problem(fault, call.principal.requestId, `#/items/${index}`) }
  }
}

async function acted({ operation, handler }: Sibling, item: Item, call: Call) {
  const { scope, success } = operation
  if (scope !== null && !covers(call.principal.scopes, scope)) {
    throw new Fault('insufficient_scope', `This needs the scope ${scope}.`, { requiredScopes: [scope] })
  }
  assertBeside(operation, item)
  const body = await handler(assertInput(operation, inputOf(item)) as Fields, call)
  return { status: success === 204 ? 200 : success, body }
}

/** What has its place beside the data is not taken in it: of two, one would be dropped. */
function assertBeside(operation: Operation, { data = {}, ...beside }: Item): void {
  const elsewhere = new Set([...parameterNames(pathOf(operation)), ...preconditionFields, ...Object.keys(beside)])
  const misplaced = Object.keys(data).filter((name) => elsewhere.has(name))
  if (misplaced.length > 0) throw fieldsRefused(misplaced.map((name) => unknownField('/data', name, [])))
}

/** The item as the operation takes it. */
function inputOf({ action, data = {}, ...named }: Item): Fields {
  if (action !== 'upsert') return { ...data, ...named }
  const { externalSource, ...rest } = named
  return { ...data, ...rest, ...(externalSource !== undefined && { source: externalSource }) }
}

/** The refusal of the single call as one of the batch: its pointers lead through the body to the item. */
function inItem({ code, message, members, cause }: Fault, { operation }: Sibling, item: Item, index: number): Fault {
  const errors = members.errors?.map(({ parameter = '', pointer = `/${parameter}`, ...error }): FieldError => ({
    pointer: `/items/${index}${placeOf(pointer, operation, item)}`,
    ...error,
  }))
  const plain = code === 'invalid_parameter' ? 'validation_failed' : code
  return new Fault(plain, message, { ...members, ...(errors && { errors }) }, cause)
}

/** What the single call has in its path stands beside the data. */
function placeOf(pointer: string, operation: Operation, item: Item): string {
  const [field = ''] = stepsOf(pointer)
  if (field === 'source') return '/externalSource'
  const isBeside = field in item || parameterNames(pathOf(operation)).includes(field)
  return isBeside ? pointer : `/data${pointer}`
}
