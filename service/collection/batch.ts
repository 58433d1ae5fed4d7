// Many calls in one transaction. An item is a call of another operation of the collection: it is checked, permitted and
// carried out as if it had come alone, and rolled back alone when it is refused.
import { Fault, asFault } from '#contract/fault.ts'
import { problem } from '#contract/problem-details.ts'
import { covers } from '#contract/scopes.ts'
import { insufficientScope } from '#contract/common-faults.ts'
import type { Call } from '../execution/handler.ts'
import type { FaultOfDatabase } from '../faults/database-fault.ts'
import { assertInput } from '../validation/validate-operation.ts'
import { assertNotInData, faultOfItem, inputOf, type Item, type ItemOperation } from './batch-item.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import type { Fields, Resource } from './resource.ts'

export type ItemOperations = Readonly<Record<Item['action'], ItemOperation>>

type Result = { readonly index: number; readonly status: number; readonly data?: unknown; readonly problem?: unknown }

/** Answers with one result for each item. Throws `batch_failed` when `atomic` is true and an item was refused. */
export function batchHandler<R extends Resource>(
  { brief }: Collection<R>,
  operations: ItemOperations,
  faultOfDatabase: FaultOfDatabase,
): CollectionHandler {
  return async (input, call) => {
    const { atomic = false, items } = input as { readonly atomic?: boolean; readonly items: readonly Item[] }
    const results: Result[] = []
    for (const [index, item] of items.entries()) {
      const one = { operation: operations[item.action], item, index }
      results.push(await resultOf(one, call, faultOfDatabase))
      call.progress(results.length, items.length)
    }
    const refused = results.filter((result) => result.problem !== undefined)
    if (atomic && refused.length > 0) {
      throw new Fault('batch_failed', `${refused.length} of ${items.length} items were refused; nothing was changed.`, {
        results: refused,
      })
    }
    return {
      results: results.map((result) => (hasObject(result) ? { ...result, data: brief(result.data as R) } : result)),
    }
  }
}

/** The data of a deletion is null, and a refused item has none. */
const hasObject = ({ data }: Result): boolean => data !== undefined && data !== null

type OneItem = { readonly operation: ItemOperation; readonly item: Item; readonly index: number }

async function resultOf(
  { operation, item, index }: OneItem,
  call: Call,
  faultOfDatabase: FaultOfDatabase,
): Promise<Result> {
  const { db } = call
  // Each item is a millisecond later than the one before, so that times stay in the order of changes.
  const part = call.subcall(new Date(call.now.getTime() + index))
  await db.$executeRaw`SAVEPOINT item`
  try {
    const { status, body } = await carryOut(operation, item, part.call)
    await db.$executeRaw`RELEASE SAVEPOINT item`
    const { created } = part.keep()
    return { index, status: created ? 201 : status, data: body }
  } catch (thrown) {
    const fault = faultOfItem(asFault(faultOfDatabase(thrown)), operation, item, index)
    if (fault.status >= 500) throw thrown
    await db.$executeRaw`ROLLBACK TO SAVEPOINT item`
    return { index, status: fault.status, problem: problem(fault, call.principal.requestId, `#/items/${index}`) }
  }
}

async function carryOut({ operation, handler }: ItemOperation, item: Item, call: Call) {
  const { scope, success } = operation
  if (scope !== null && !covers(call.principal.scopes, scope)) {
    throw insufficientScope(scope)
  }
  assertNotInData(operation, item)
  const body = await handler(assertInput(operation, inputOf(item)) as Fields, call)
  return { status: success === 204 ? 200 : success, body }
}
