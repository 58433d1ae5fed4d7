// One call to the service, on as many addresses as it takes. A call that was surely not sent goes on to the next
// address, whatever it is. A read without an answer is repeated once elsewhere when its address is found dead or breaks
// off. A write that was sent is never repeated.
import { failureOf, unavailable } from './upstream-errors.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import type { AddressCall, AddressPool } from './address-pool.ts'

/** Resolves with the answer's head; rejects when the signal is aborted. */
export type Attempt<T> = (address: ServiceAddress, signal: AbortSignal) => Promise<T>
type Options = {
  readonly isRead: boolean
  /** Aborted when the caller has disconnected. */
  readonly callerSignal?: AbortSignal
  /**
   * Called when a write waits for the answer of a dead address while others are well: its slot must not wait with it.
   */
  readonly onStranded?: () => void
}
type Outcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'unsent' | 'unanswered' | 'final'; readonly error: unknown }

const attemptsMax = 5

export async function withFailOver<T>(
  pool: AddressPool,
  { isRead, ...options }: Options,
  attempt: Attempt<T>,
): Promise<T> {
  const tried = new Set<string>()
  let mayRepeat = isRead
  let error: unknown = unavailable()
  while (tried.size < attemptsMax) {
    const call = pool.take(tried)
    if (call === undefined) break
    tried.add(call.address.origin)
    const outcome = await attemptOnce(call, { isRead: mayRepeat, ...options }, attempt)
    if (outcome.kind === 'answered') return outcome.answer
    error = outcome.error
    if (outcome.kind === 'final' || (outcome.kind === 'unanswered' && !mayRepeat)) break
    if (outcome.kind === 'unanswered') mayRepeat = false
  }
  throw error
}

async function attemptOnce<T>(
  call: AddressCall,
  { isRead: mayRepeat, callerSignal, onStranded = () => {} }: Options,
  attempt: Attempt<T>,
): Promise<Outcome<T>> {
  const ending = new AbortController()
  const foundDead = unavailable(new Error(`${call.address.origin} was found dead before it had answered`))
  const end = (reason: unknown): void => ending.abort(reason)
  const stopWaiting = call.onDead(mayRepeat ? () => end(foundDead) : onStranded)
  // Stays in place after the answer's head: an answer ends with its caller as well.
  if (callerSignal?.aborted === true) end(callerSignal.reason)
  else callerSignal?.addEventListener('abort', () => end(callerSignal.reason), { once: true })
  try {
    const answer = await attempt(call.address, ending.signal)
    call.ended('answered')
    return { kind: 'answered', answer }
  } catch (error) {
    if (callerSignal?.aborted === true) return { kind: 'final', error }
    if (ending.signal.aborted) return { kind: 'unanswered', error: foundDead }
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
