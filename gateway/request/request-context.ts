// A request as everything in the gateway sees it. `RequestContext` is what becomes known of it while it is served: for
// the checks, its log line and the headers of its answer. `IncomingCall` is what the checks judge, free of the server
// that received it.
import type { RateLimit } from '#contract/rate-limits.ts'
import type { Address } from '#runtime/ip-address.ts'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Span } from '#runtime/tracing/span.ts'
import type { Traced } from '#runtime/tracing/tracing.ts'
import { readUpTo } from './body.ts'
import { queryOf } from './request-head.ts'
import { randomUUID } from 'node:crypto'

/**
 * A bucket of the rate limit: its tokens per minute, those that are left, when one more is there, and when it is full.
 */
export type BucketState = {
  readonly limit: number
  readonly remaining: number
  readonly nextSeconds: number
  readonly resetSeconds: number
}
/** `workspace` is null for a call outside of any workspace. */
export type Quota = { readonly key: BucketState; readonly workspace: BucketState | null }

/** Whose tokens a call takes, and how many there may be. */
export type RateSubject = {
  readonly keyId: string
  readonly rates: SubjectRates
  /** The key's and, for a call in a workspace, that workspace's. */
  readonly buckets: readonly [RatedBucket, ...RatedBucket[]]
}
type RatedBucket = { readonly name: string; readonly rate: RateLimit }
/** As callers are told. `workspace` is null while a key of several has named none. */
export type SubjectRates = { readonly key: RateLimit; readonly workspace: RateLimit | null }

export type RequestContext = Traced & {
  readonly requestId: string
  /** The tool of MCP that is called; null for any other call. */
  tool: string | null
  /** What that tool is to act on, where its arguments name it by its id. */
  objectId: string | null
  /** A tool that is called does more than read. */
  toolChanges: boolean
  /** The caller's address, behind trusted proxies; null when the connection has none any more. */
  readonly address: Address | null
  /** Null until the key is known; `operator` for the operator. */
  keyId: string | null
  /** Null until the workspace is known, or when the call acts in none. */
  workspaceId: string | null
  /** Null until the key is known. */
  rateSubject: RateSubject | null
  /** The key has an allowlist, and the caller's address is on it. */
  isOnAllowlist: boolean
  /** Headers that say when the key's time ends, once that is near. */
  keyWarnings: Readonly<Record<string, string>> | null
  /** Null until tokens were consumed. */
  quota: Quota | null
  /** When it went to the service, and when the head of its answer came: by `performance.now()`, 0 until then. */
  forwardedAt: number
  answeredAt: number
  /** What the service says about its answer, for the log of calls (contract/internal/api-calls.ts). */
  outcome: string | null
  /** True when the caller disconnected before the answer was complete. */
  readonly isAborted: boolean
  /** Calls back at that moment, or at once if it is past. */
  onAbort(callback: () => void): void
  /** True when the answer is complete, or the caller has disconnected. */
  readonly isClosed: boolean
  /** Calls back at that moment, or at once if it is past. */
  onClose(callback: () => void): void
  /** Aborted at that moment. Made when it is first asked for: most calls are over before anything has to wait. */
  readonly signal: AbortSignal
}

export type OpenContext = RequestContext & {
  /** Called once, when the response has closed: with its last byte, or because the caller has disconnected. */
  close(isComplete: boolean): void
}

export const openContext = (requestId: string, address: Address | null): OpenContext => new Context(requestId, address)

/** A class, because each request makes one: what all of them share is not made anew. */
class Context implements OpenContext {
  readonly requestId: string
  readonly address: Address | null
  traceparent = ''
  tracestate: string | null = null
  span: Span | null = null
  keyId: string | null = null
  tool: string | null = null
  objectId: string | null = null
  toolChanges = false
  workspaceId: string | null = null
  rateSubject: RateSubject | null = null
  isOnAllowlist = false
  keyWarnings: Readonly<Record<string, string>> | null = null
  quota: Quota | null = null
  forwardedAt = 0
  answeredAt = 0
  outcome: string | null = null
  isAborted = false
  isClosed = false
  #aborting: AbortController | null = null
  #onAbort: (() => void)[] = []
  #onClose: (() => void)[] = []

  constructor(requestId: string, address: Address | null) {
    this.requestId = requestId
    this.address = address
  }

  get signal(): AbortSignal {
    if (this.#aborting === null) {
      this.#aborting = new AbortController()
      if (this.isAborted) this.#aborting.abort()
    }
    return this.#aborting.signal
  }

  onAbort(callback: () => void): void {
    if (this.isAborted) callback()
    else this.#onAbort.push(callback)
  }

  onClose(callback: () => void): void {
    if (this.isClosed) callback()
    else this.#onClose.push(callback)
  }

  close(isComplete: boolean): void {
    this.isClosed = true
    if (!isComplete) this.#abort()
    for (const callback of this.#onClose) callback()
  }

  #abort(): void {
    this.isAborted = true
    this.#aborting?.abort()
    for (const callback of this.#onAbort) callback()
  }
}

export type IncomingCall = {
  readonly method: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value…, as Node gives them. */
  readonly rawHeaders: readonly string[]
  readonly address: Address | null
  /** Waits for the body's first byte, which is then lost, or for its end. Rejects when the caller disconnects. */
  readonly bytesCome: () => Promise<boolean>
  /** Completed while the checks are made. */
  readonly context: RequestContext
}

export function incomingCall(request: IncomingMessage, context: RequestContext): IncomingCall {
  const { method = '', headers, rawHeaders, url = '' } = request
  const bytesCome = () => readUpTo(request, 0).then(({ isWhole }) => !isWhole)
  return { method, query: queryOf(url), headers, rawHeaders, address: context.address, bytesCome, context }
}

const safeId = /^[\w.:@/+=-]{1,128}$/

/** Returns the caller's X-Request-Id where it is harmless in a log line and a header, else a new UUID. */
export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && safeId.test(header) ? header : randomUUID()
