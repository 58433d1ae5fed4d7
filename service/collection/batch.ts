// Many calls in one transaction. An item is the call of a sibling operation: checked, permitted and acted on as if it
// had come alone, and undone alone when it is refused.
import { Fault, asFault, problem, type FieldError } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { covers } from '#contract/scope.ts'
import { faultOfDatabase } from '../database-fault.ts'
import type { Call } from '../handler.ts'
import { assertInput } from '../operation-check.ts'
import type { CollectionHandler, Fields } from './definition.ts'

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

export function batch(siblings: Siblings): CollectionHandler {
  return async (given, call) => {
    const { atomic = false, items } = given as { readonly atomic?: boolean; readonly items: readonly Item[] }
    call.cost(items.length)
    const results: Outcome[] = []
    for (const [index, item] of items.entries()) results.push(await outcomeOf(siblings[item.action], item, index, call))
    const refused = results.filter((result) => result.problem !== undefined)
    if (atomic && refused.length > 0) {
      throw new Fault('batch_failed', `${refused.length} of ${items.length} items were refused; nothing was changed.`, {
        results: refused,
      })
    }
    return { results }
  }
}

async function outcomeOf(sibling: Sibling, item: Item, index: number, call: Call): Promise<Outcome> {
  const { db } = call
  // Each item is a moment after the one before, so that times stay in the order of changes.
  const part = call.part(new Date(call.now.getTime() + index))
  await db.$executeRaw`SAVEPOINT item`
  try {
    const { status, body } = await acted(sibling, item, part.call)
    await db.$executeRaw`RELEASE SAVEPOINT item`
    const created = part.keep()
    return { index, status: created ? 201 : status, data: body }
  } catch (thrown) {
    const fault = asFault(faultOfDatabase(thrown))
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
  const body = await handler(inItem(operation, inputOf(item)), call)
  return { status: success === 204 ? 200 : success, body }
}

/** The item as the operation takes it. */
function inputOf({ action, data = {}, externalSource, externalId, ...rest }: Item): Fields {
  const { action: _action, ...named } = { action, ...rest }
  if (action !== 'upsert') return { ...data, ...named }
  return {
    ...data,
    ...named,
    ...(externalSource !== undefined && { source: externalSource }),
    ...(externalId !== undefined && { externalId }),
  }
}

/** Pointers of a refusal lead into the item. */
function inItem(operation: Operation, input: Fields): Fields {
  try {
    return assertInput(operation, input) as Fields
  } catch (thrown) {
    const fault = asFault(thrown)
    const errors = (fault.members.errors ?? []).map(({ parameter, pointer, ...error }): FieldError => ({
      pointer: pointer ?? `/${parameter}`,
      ...error,
    }))
    throw new Fault(fault.code === 'invalid_parameter' ? 'validation_failed' : fault.code, fault.message, {
      ...fault.members,
      errors,
    })
  }
}
