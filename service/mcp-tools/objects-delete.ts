// Deletes objects one by one: a batch would need the scope to write, which a key that may delete need not have.
import { createHash } from 'node:crypto'
import { operationNamed } from '#contract/api.ts'
import { asFault, Fault } from '#contract/faults/fault.ts'
import { callOperation } from './call-operation.ts'
import type { Exchange } from './exchange.ts'
import { outcomesAnswer, refusedBecause, type Outcome } from './outcomes.ts'
import type { Runner } from './runner.ts'

type Arguments = {
  readonly type: string
  readonly ids: readonly string[]
  readonly expectedVersion?: number
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}
type One = Omit<Arguments, 'ids'> & { readonly id: string; readonly index: number }

export const runDelete: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { ids, ...more } = args as Arguments
  assertOneVersion(ids, more.expectedVersion)
  const outcomes: Outcome[] = []
  for (const [index, id] of ids.entries()) {
    outcomes.push(await deleteOne({ ...more, id, index }, exchange))
    exchange.onProgress?.(index + 1, ids.length)
  }
  return outcomesAnswer(outcomes, 'delete', more.dryRun === true)
}

async function deleteOne(one: One, exchange: Exchange): Promise<Outcome> {
  const { type, id, index, expectedVersion, dryRun = false, idempotencyKey } = one
  const input = { id, ...(expectedVersion !== undefined && { expectedVersion }) }
  try {
    await callOperation(operationNamed(`${type}.delete`), input, exchange, {
      dryRun,
      // Each is a change of its own.
      idempotencyKey: idempotencyKey === undefined ? undefined : partOf(idempotencyKey, index),
    })
    return { index, id, ok: true, ...(dryRun && (await nameOf(type, id, exchange))) }
  } catch (thrown) {
    const fault = asFault(thrown)
    if (exchange.signal.aborted || fault.status >= 500) throw thrown
    const { code, message: detail, members } = fault
    return { index, id, ...refusedBecause({ code, detail, ...members }) }
  }
}

/** The length of a key has a bound, which a part's must not pass. */
const partOf = (key: string, index: number): string =>
  `${createHash('sha256').update(key).digest('base64url')}#${index}`

/** A dry run says what it is that would go. */
async function nameOf(type: string, id: string, exchange: Exchange): Promise<Pick<Outcome, 'name' | 'version'>> {
  const { body } = await callOperation(operationNamed(`${type}.get`), { id, includeDeleted: true }, exchange)
  const { name, title, version } = body as { readonly name?: string; readonly title?: string; readonly version: number }
  return { name: name ?? title ?? '', version }
}

function assertOneVersion({ length }: readonly string[], expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || length === 1) return
  const detail = 'A version is one object’s: give it with one id.'
  throw new Fault('validation_failed', `expectedVersion: ${detail}`, {
    errors: [{ pointer: '/expectedVersion', code: 'not_in_list', detail }],
  })
}
