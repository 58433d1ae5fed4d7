// What becomes known of one request while it is served: for the checks, its log line and the headers of its answer.
import type { RateLimit } from '#contract/rate-limits.ts'
import type { Address } from '#runtime/ip-address.ts'

/** A bucket of the rate limit: its tokens per minute, those that are left, when one more is there, and when it is full. */
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

export type RequestContext = {
  readonly requestId: string
  /** The tool of MCP that is called; null for any other call. */
  tool: string | null
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
  /** True when the caller disconnected before the answer was complete. */
  readonly isAborted: boolean
  /** Calls back at that moment, or at once if it is past. */
  onAbort(callback: () => void): void
  /** True when the answer is complete, or the caller has disconnected. */
  readonly isClosed: boolean
  /** Calls back at that moment, or at once if it is past. */
  onClose(callback: () => void): void
  /** Aborted at that moment. Made when it is first asked for: most calls are over before anybody has to wait. */
  readonly signal: AbortSignal
}
