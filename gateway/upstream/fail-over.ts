// One call to the service, on as many addresses as it takes. What was surely not sent goes on to the next address,
// whatever it is. A read that has no answer yet is tried once elsewhere when its address is found dead or breaks off. A
// write that was sent is never repeated.
import { failureOf, unavailable } from './upstream-errors.ts'
import type { Address } from './dns-resolution.ts'
import type { AddressCall, AddressPool } from './address-pool.ts'

/** Ends with the answer's head, or rejects; to be ended when the signal is aborted. */
export type Attempt<T> = (address: Address, signal: AbortSignal) => Promise<T>
type Kind = {
  readonly isRead: boolean
  /** Aborted when the caller has disconnected. */
  readonly callerSignal?: AbortSignal
  /** A write waits for an answer of a dead address, though others are well: what they need must not wait with it. */
  readonly onStranded?: () => void
}
type Outcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'unsent' | 'unanswered' | 'final'; readonly error: unknown }

const attemptsMax = 5

export async function withFailOver<T>(pool: AddressPool, { isRead, ...kind }: Kind, attempt: Attempt<T>): Promise<T> {
  const tried = new Set<string>()
  let mayRepeat = isRead
  let error: unknown = unavailable()
  while (tried.size < attemptsMax) {
    const call = pool.take(tried)
    if (call === undefined) break
    tried.add(call.address.origin)
    const outcome = await attemptOnce(call, { isRead: mayRepeat, ...kind }, attempt)
    if (outcome.kind === 'answered') return outcome.answer
    error = outcome.error
    if (outcome.kind === 'final' || (outcome.kind === 'unanswered' && !mayRepeat)) break
    if (outcome.kind === 'unanswered') mayRepeat = false
  }
  throw error
}

async function attemptOnce<T>(
  call: AddressCall,
  { isRead: mayRepeat, callerSignal, onStranded = () => {} }: Kind,
  attempt: Attempt<T>,
): Promise<Outcome<T>> {
  const ending = new AbortController()
  const lost = unavailable(new Error(`${call.address.origin} was found dead before it had answered`))
  const end = (reason: unknown): void => ending.abort(reason)
  const stopWaiting = call.onLost(mayRepeat ? () => end(lost) : onStranded)
  // Stays in place after the answer's head: an answer ends with its caller as well.
  if (callerSignal?.aborted === true) end(callerSignal.reason)
  else callerSignal?.addEventListener('abort', () => end(callerSignal.reason), { once: true })
  try {
    const answer = await attempt(call.address, ending.signal)
    call.ended('answered')
    return { kind: 'answered', answer }
  } catch (error) {
    if (callerSignal?.aborted === true) return { kind: 'final', error }
    if (ending.signal.aborted) return { kind: 'unanswered', error: lost }
    return outcomeOf(error, call)
  } finally {
    stopWaiting()
  }
}

function outcomeOf<T>(error: unknown, call: AddressCall): Outcome<T> {
  const failure = failureOf(error)
  switch (failure) {
    case 'unreachable':
      call.ended('unreachable')
      return { kind: 'unsent', error }
    case 'broken':
      call.ended('failed')
      return { kind: 'unanswered', error }
    case 'late':
      call.ended('failed')
      return { kind: 'final', error }
    case 'refused':
      return { kind: 'final', error }
    default:
      return failure satisfies never
  }
}
