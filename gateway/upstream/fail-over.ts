// One call to the service, on as many addresses as it takes. A call that was surely not sent goes on to the next
// address, whatever it is. A read without an answer is repeated once elsewhere when its address is found dead or breaks
// off. A write that was sent is never repeated.
import type { Fault } from '#contract/faults/fault.ts'
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
/** `unsent`: surely. `unanswered`: it may have arrived. `final`: it is over, whatever it is. */
type Failed = { readonly kind: 'unsent' | 'unanswered' | 'final'; readonly error: unknown }
type Outcome<T> = { readonly kind: 'answered'; readonly answer: T } | Failed

const attemptsMax = 5

/** The attempts of one call: which address is next, and whether there is another one after a failure. */
export class Attempts {
  readonly #pool: AddressPool
  readonly #tried = new Set<string>()
  /** Whether it may be repeated although it may have arrived. */
  mayRepeat: boolean

  constructor(pool: AddressPool, isRead: boolean) {
    this.#pool = pool
    this.mayRepeat = isRead
  }

  next(): AddressCall | undefined {
    if (this.#tried.size >= attemptsMax) return undefined
    const call = this.#pool.take(this.#tried)
    if (call !== undefined) this.#tried.add(call.address.origin)
    return call
  }

  goesOnAfter(kind: Failed['kind']): boolean {
    const goesOn = kind === 'unsent' || (kind === 'unanswered' && this.mayRepeat)
    if (kind === 'unanswered') this.mayRepeat = false
    return goesOn
  }
}

export async function withFailOver<T>(
  pool: AddressPool,
  { isRead, ...options }: Options,
  attempt: Attempt<T>,
): Promise<T> {
  const attempts = new Attempts(pool, isRead)
  let error: unknown = null
  for (let call = attempts.next(); call !== undefined; call = attempts.next()) {
    const outcome = await attemptOnce(call, { isRead: attempts.mayRepeat, ...options }, attempt)
    if (outcome.kind === 'answered') return outcome.answer
    error = outcome.error
    if (!attempts.goesOnAfter(outcome.kind)) break
  }
  throw error ?? unavailable()
}

async function attemptOnce<T>(
  call: AddressCall,
  { isRead: mayRepeat, callerSignal, onStranded = () => {} }: Options,
  attempt: Attempt<T>,
): Promise<Outcome<T>> {
  const ending = new AbortController()
  const foundDead = foundDeadError(call)
  const end = (reason: unknown): void => ending.abort(reason)
  call.onDead(mayRepeat ? () => end(foundDead) : onStranded)
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
    call.stopWaiting()
  }
}

export const foundDeadError = ({ address }: AddressCall): Fault =>
  unavailable(new Error(`${address.origin} was found dead before it had answered`))

/** Also tells the pool what the failure says about the address. */
export function outcomeOf(error: unknown, call: AddressCall): Failed {
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
