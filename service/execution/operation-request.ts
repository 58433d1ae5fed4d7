// A call of an operation as HTTP and MCP hand it over, and its answer.
import type { Operation } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Preconditions } from './preconditions.ts'

export type OperationRequest = {
  readonly operation: Operation
  /** As it was sent: not validated yet. */
  readonly input: unknown
  readonly principal: Principal
  /** Of a change: a later request with the same key gets the answer of the first and does nothing. */
  readonly idempotencyKey?: string | undefined
  readonly preconditions?: Preconditions | undefined
  /** Aborted when the caller has gone: what is not committed by then is undone, and refused as `request_cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** A change is made as a whole, answered and rolled back: nothing of it is left. Reads ignore it. */
  readonly dryRun?: boolean | undefined
  /** The cookie by which the caller's browser is known; null: none. */
  readonly browser?: string | null | undefined
  /** Called after each part of a change that has many. Must not throw. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}
export type Answer = {
  readonly body: unknown
  /** Kept from an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
  /** An object was made by a call that may also find one. */
  readonly created?: boolean
  /** Of the session that the caller has from now on; null: none any more. */
  readonly sessionToken?: string | null | undefined
  /** The cookie by which the caller's browser is known from now on. */
  readonly browserToken?: string | undefined
}
/** Throws a Fault where the call is refused. */
export type Execute = (request: OperationRequest) => Promise<Answer>
