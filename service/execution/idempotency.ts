// Idempotency key of a change: the first request with a key acts; those after it get its answer, kept in the transaction of its
// effect. What is wrong with the input is an answer, too. Two at the same instant meet at the row of the key: the
// second waits for the first.
import { Fault } from '#contract/faults/fault.ts'
import { takesIdempotencyKey } from '#contract/operation.ts'
import type { Db } from './handler.ts'
import type { IdempotencyStore, IdempotentRequest } from './idempotency-store.ts'
import type { Answer, OperationRequest } from './operation-request.ts'
import type { Notifications } from './record-change.ts'

type Answered<T> = Notifications & { readonly result: T }

/** Null where the request has no key, or leaves nothing behind that a second one could repeat. */
export function idempotentRequest(request: OperationRequest): IdempotentRequest | null {
  const { operation, input, principal, preconditions, idempotencyKey: key, dryRun = false } = request
  if (key === undefined || dryRun) return null
  if (!takesIdempotencyKey(operation)) throw new Fault('invalid_idempotency_key', 'This call takes no Idempotency-Key.')
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Fault('invalid_idempotency_key', 'An Idempotency-Key has 1 to 255 visible ASCII characters.')
  const { id: callerId, workspaceId, scopes } = principal
  const sent = { input, ...(preconditions && { preconditions }) }
  return { callerId, workspaceId: workspaceId ?? '', operation: operation.name, key, ...sent, scopes }
}

/** A refusal of the input is returned and not thrown: that it is kept is to be committed. */
export async function answerOnce(
  store: IdempotencyStore,
  tx: Db,
  request: IdempotentRequest,
  validate: () => unknown,
  act: (input: unknown) => Promise<Answered<Answer>>,
): Promise<Answered<Answer | Fault>> {
  const kept = await store.reserve(tx, request, new Date())
  if (kept !== undefined) return unchanged({ ...kept, replayed: true })
  const validated = resultOf(validate)
  if (validated instanceof Fault) {
    await store.keepRefusal(tx, request, validated)
    return unchanged(validated)
  }
  const answered = await act(validated.input)
  await store.keep(tx, request, answered.result)
  return answered
}

const unchanged = <T>(result: T): Answered<T> => ({ result, notifications: [], keyChanges: [] })

function resultOf(validate: () => unknown): { readonly input: unknown } | Fault {
  try {
    return { input: validate() }
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
}
