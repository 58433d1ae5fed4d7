// One call that has one answer, on its way to the service and back. The service's answer is written straight into the
// caller's: there is no stream between them. Whoever reads slowly slows the service's connection down (`resume` goes on), and a caller who
// leaves ends the call wherever it is: while it waits for a connection, for the head, or in the middle of the answer.
//
// A class with undici's handler methods of the first form: undici takes that as it is, and any other through a wrapper.
import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { principalHeader, type Principal } from '#contract/internal/principal.ts'
import { lazyBody, type Body } from '../overload/request-bodies.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { AddressCall, AddressPool } from './address-pool.ts'
import { Attempts, foundDeadError, outcomeOf } from './fail-over.ts'
import type { ToCookies } from '../request/session-cookie.ts'
import { answerHead, cookiesIn, databaseMsIn } from './proxy-headers.ts'
import type { SignPrincipal } from './signed-principal.ts'
import { unavailable } from './upstream-errors.ts'

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
}
/** The gateway's part of the answer's head, as name, value, name, value…; and what the service's does not replace. */
export type OwnHeaders = {
  readonly list: readonly string[]
  readonly names: ReadonlySet<string>
  /** What becomes of what the service tells of the caller's session and browser, where it may tell anything. */
  readonly toCookies?: ToCookies | undefined
}
type OnHead = (error: unknown, status: number) => void

/** A whole answer of at most so many bytes leaves in one write, with its head. */
const oneWriteBytesMax = 16 * 1024

/** The first two headers are filled in for each attempt. */
export const headOf = (requestId: string): string[] => ['host', '', principalHeader, '', 'x-request-id', requestId]

export class ServiceCall implements Dispatcher.DispatchHandler {
  readonly #upstream: Upstream
  readonly #call: Call
  readonly #attempts: Attempts
  #onHead: OnHead = () => {}
  #attempt: AddressCall | undefined
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
    this.#attempts = new Attempts(upstream.pool, call.method === 'GET' || call.method === 'HEAD')
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
    const { method, path, body, principal, head, onStranded } = this.#call
    const { address } = attempt
    this.#attempt = attempt
    this.#isFoundDead = false
    attempt.onDead(this.#attempts.mayRepeat ? () => this.#giveUpDead() : onStranded)
    head[1] = address.host
    head[3] = this.#upstream.signed(principal, method, path)
    const { origin } = address
    this.#upstream.agent.dispatch({ origin, path, method, headers: head, body: lazyBody(body) }, this)
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

  /** Writes the head; the rest follows as it comes. */
  answer({ list, names, toCookies }: OwnHeaders): void {
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
      return void this.#call.response.destroy()
    }
    this.#attempt = undefined
    if (this.#call.context.isAborted) return this.#fail(error)
    const failed = this.#isFoundDead
      ? ({ kind: 'unanswered', error: foundDeadError(attempt) } as const)
      : outcomeOf(error, attempt)
    if (this.#attempts.goesOnAfter(failed.kind)) this.#next(failed.error)
    else this.#fail(failed.error)
  }
}
