// The error that is meant for callers. Whoever throws it names a code and says what happened; status, title and whether a
// retry can help are in fault-codes.ts.
import { statusOf, type FaultCode, type FieldCode } from './fault-codes.ts'

/** One value that was refused. `pointer` is a JSON Pointer (RFC 6901) into the body. */
export type FieldError = {
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
  readonly code: FieldCode
  readonly detail: string
  readonly allowed?: readonly unknown[]
}
/** Members of the problem body beside the standard ones, such as `requiredScopes` or `currentVersion`. */
export type FaultMembers = {
  readonly hint?: string
  readonly errors?: readonly FieldError[]
  readonly retryAfterSeconds?: number
  readonly [member: string]: unknown
}

/** The one error that is meant for callers. Anything else thrown is answered as `internal_error`. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly members: FaultMembers

  constructor(code: FaultCode, detail: string, members: FaultMembers = {}, cause?: unknown) {
    super(detail, { cause })
    this.code = code
    this.members = members
  }

  get status(): number {
    return statusOf(this.code)
  }
}

/** A Fault as it is; anything else as `internal_error`, so that its text does not reach the caller. */
export const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault
    ? thrown
    : new Fault('internal_error', 'Something failed on our side. Quote the request id if you write to us.', {}, thrown)
