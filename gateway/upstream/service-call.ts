// One call to the service, on as many addresses as it takes: `ServiceCall` for a caller's call with one answer,
// `withFailOver` for all others. A call that was surely not sent goes on to the next address, whatever it is. A read
// without an answer is repeated once elsewhere when its address is found dead or breaks off. A write that was sent is
// never repeated.
import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { principalHeader, type Principal } from '#contract/internal/principal.ts'
import { lazyBody, type Body } from '../overload/request-bodies.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { AddressCall, AddressPool } from './address-pool.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { attemptSpan, type AttemptSpan } from './attempt-span.ts'
import { answerHead, cookiesIn, databaseMsIn, outcomeIn } from './headers.ts'
import type { SignPrincipal } from './signed-principal.ts'
import { unavailable, failureOf } from './upstream-errors.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { GatewayHeaders } from '../responses/gateway-headers.ts'

export type Upstream = { readonly agent: Dispatcher; readonly pool: AddressPool; readonly signed: SignPrincipal }
export type Call = {
  readonly method: string
  readonly path: string
  readonly body: Body
  readonly principal: Principal
  /** Name, value, name, value…, beginning with `headOf`'s own. */
  readonly head: string[]
  readonly context: RequestContext
  readonly response: ServerResponse
  /** Called when a write waits for a dead address: its slot must not wait with it. */
  readonly onStranded: () => void
  /** Until the answer's head. Left out: as for any call. */
  readonly headersMs?: number | undefined
}
type OnHead = (error: unknown, status: number) => void

/** A whole answer of at most so many bytes leaves in one write, with its head. */
const oneWriteBytesMax = 16 * 1024

/** Whether a call changes nothing, so that it may be sent again. */
export const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'

/** The first three headers are filled in for each attempt. */
export const headOf = (requestId: string): string[] => [
  'host',
  '',
  principalHeader,
  '',
  'traceparent',
  '',
  'x-request-id',
  requestId,
]

/** Changes the head: for this attempt. */
export function fillHead(head: string[], { host }: ServiceAddress, principal: string, traceparent: string): void {
  head[1] = host
  head[3] = principal
  head[5] = traceparent
}

/**
 * The service's answer is written straight into the caller's: there is no stream between them. A caller that reads
 * slowly slows the service's connection down (`resume` goes on), and one that leaves ends the call wherever it is:
 * while it waits for a connection, for the head, or in the middle of the answer.
 *
 * A class with undici's handler methods of the first form: undici takes that as it is, and any other through a wrapper.
 */
export class ServiceCall implements Dispatcher.DispatchHandler {
  readonly #upstream: Upstream
  readonly #call: Call
  readonly #attempts: Attempts
  #onHead: OnHead = () => {}
  #attempt: AddressCall | undefined
  #span: AttemptSpan | null = null
  #isFoundDead = false
  #abort: ((error?: Error) => void) | null = null
  #resume = (): void => {}
  #status = 0
  #rawHeaders: readonly Buffer[] = []
  /** Of an answer that leaves in one write, as long as it may. */
  #wholeBytes: number | null = null
  #isOver = false

  constructor(upstream: Upstream, call: Call) {
    this.#upstream = upstream
    this.#call = call
    this.#attempts = new Attempts(upstream.pool, isRead(call.method))
  }

  /** `onHead` is called once: with an error, or with the status, and then `answer` must be called at once. */
  send(onHead: OnHead): void {
    this.#onHead = onHead
    this.#call.context.onAbort(() => this.destroy())
    this.#next(null)
  }

  /** `error`: of the attempt before. */
  #next(error: unknown): void {
    const attempt = this.#call.context.isAborted ? undefined : this.#attempts.next()
    if (attempt === undefined) return this.#fail(error ?? unavailable())
    const { method, path, body, principal, head, context, onStranded, headersMs } = this.#call
    const { address } = attempt
    this.#attempt = attempt
    this.#isFoundDead = false
    attempt.onDead(this.#attempts.mayRepeat ? () => this.#giveUpDead() : onStranded)
    this.#span = context.span === null ? null : attemptSpan(context.span, method, address, this.#attempts.count)
    const traceparent = this.#span === null ? context.traceparent : this.#span.traceparent
    fillHead(head, address, this.#upstream.signed(principal, method, path), traceparent)
    const { origin } = address
    const timeout = headersMs === undefined ? {} : { headersTimeout: headersMs }
    this.#upstream.agent.dispatch({ origin, path, method, headers: head, body: lazyBody(body), ...timeout }, this)
  }

  #giveUpDead(): void {
    this.#isFoundDead = true
    this.#abort?.()
  }

  #fail(error: unknown): void {
    this.#isOver = true
    this.#onHead(error, 0)
  }

  /** Ends the call to the service, in whatever state it is. */
  destroy(): void {
    if (!this.#isOver) this.#abort?.()
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort
    if (this.#call.context.isAborted || this.#isFoundDead) abort()
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    if (status < 200) return true
    this.#attempt?.stopWaiting()
    this.#attempt?.ended('answered')
    this.#attempt = undefined
    this.#span?.answered(status)
    this.#status = status
    this.#rawHeaders = rawHeaders
    this.#resume = resume
    this.#onHead(null, status)
    return true
  }

  /** For how long the service has held the database for it. Known once the head is there. */
  databaseMs(): number {
    return databaseMsIn(this.#rawHeaders)
  }

  /** What the service says about its answer. A read that was done has nothing to say. */
  outcome(): string | null {
    return this.#status < 400 && isRead(this.#call.method) ? null : outcomeIn(this.#rawHeaders)
  }

  /** Writes the head; the rest follows as it comes. */
  answer({ list, names, toCookies }: GatewayHeaders): void {
    const { response } = this.#call
    const { headers, contentLength } = answerHead(this.#rawHeaders, list, names)
    if (toCookies !== undefined) headers.push(...cookiesIn(this.#rawHeaders, toCookies))
    response.writeHead(this.#status, headers)
    if (contentLength !== null && contentLength <= oneWriteBytesMax) this.#wholeBytes = contentLength
    else response.on('drain', this.#resume)
  }

  onData(chunk: Buffer): boolean {
    const { response } = this.#call
    if (this.#wholeBytes === null) return response.write(chunk)
    const isWhole = chunk.length === this.#wholeBytes
    this.#wholeBytes = null
    if (!isWhole) {
      response.on('drain', this.#resume)
      return response.write(chunk)
    }
    // As text it goes into one write with the head; latin1 leaves every byte as it is.
    response.end(chunk.toString('latin1'), 'latin1')
    return true
  }

  onComplete(): void {
    this.#isOver = true
    const { response } = this.#call
    if (!response.writableEnded) response.end()
  }

  onError(error: Error): void {
    const attempt = this.#attempt
    this.#abort = null
    attempt?.stopWaiting()
    // In the middle of the answer.
    if (attempt === undefined) {
      this.#isOver = true
      this.#call.response.destroy()
      return
    }
    this.#attempt = undefined
    if (this.#call.context.isAborted) {
      this.#span?.failed('client_closed_request')
      return this.#fail(error)
    }
    const failed = this.#isFoundDead
      ? ({ kind: 'unanswered', error: foundDeadError(attempt) } as const)
      : outcomeOf(error, attempt)
    this.#span?.failed(failed.kind)
    if (this.#attempts.goesOnAfter(failed.kind)) this.#next(failed.error)
    else this.#fail(failed.error)
  }
}

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
class Attempts {
  readonly #pool: AddressPool
  readonly #tried = new Set<string>()
  /** Whether it may be repeated although it may have arrived. */
  mayRepeat: boolean

  constructor(pool: AddressPool, isRead: boolean) {
    this.#pool = pool
    this.mayRepeat = isRead
  }

  get count(): number {
    return this.#tried.size
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

const foundDeadError = ({ address }: AddressCall): Fault =>
  unavailable(new Error(`${address.origin} was found dead before it had answered`))

/** Also tells the pool what the failure says about the address. */
function outcomeOf(error: unknown, call: AddressCall): Failed {
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
