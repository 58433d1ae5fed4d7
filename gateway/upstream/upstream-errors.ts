// Errors on the way to the service: for the pool, which rates addresses by it, and as a Fault for the caller.
// Only a call that was surely never sent is `unavailable`; the detail stays in our log.
import { Fault } from '#contract/faults/fault.ts'

/** Codes that always mean that there was no connection. */
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ECONNECT_TIMEOUT'])
/** The certificate is not to be trusted: TLS ends before anything is sent. */
const certificateErrors = /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT_)/
/** Codes that also come after connecting: then something may have been sent. */
const notConnectedWhileConnecting = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'])
const late = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** `refused`: by the gateway itself while sending, such as a body that is too large. */
export type Failure = 'unreachable' | 'late' | 'broken' | 'refused'

export function failureOf(error: unknown): Failure {
  if (error instanceof Fault) return 'refused'
  if (isNotConnected(error)) return 'unreachable'
  return isLate(error) ? 'late' : 'broken'
}

/** True when the address took no connection: nothing was sent, and another address may be tried. */
export function isNotConnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isNotConnected)
  const { code, syscall } = fieldsOf(error)
  if (notConnected.has(String(code)) || certificateErrors.test(String(code))) return true
  return syscall === 'connect' && notConnectedWhileConnecting.has(String(code))
}

/** `mayHaveHappened`: a change was sent, and it is not known what became of it. */
export function upstreamFault(error: unknown, mayHaveHappened: boolean): Fault {
  // reply-from wraps errors; a body that was cut off is a Fault of ours.
  const cause = error instanceof Error && !(error instanceof Fault) && error.cause !== undefined ? error.cause : error
  if (cause instanceof Fault) return cause
  if (isNotConnected(cause)) return unavailable(cause)
  const more = mayHaveHappened ? ` ${repeating}` : ''
  if (isLate(cause)) return new Fault('timeout', `The service did not respond in time.${more}`, {}, cause)
  return new Fault('upstream_error', `The service failed before it responded.${more}`, {}, cause)
}

const repeating =
  'The change may have been made all the same: look before you repeat it. A call that was sent with an Idempotency-Key is safe to repeat with the same key.'

export const unavailable = (cause?: unknown): Fault =>
  new Fault('unavailable', 'The service cannot be reached at the moment.', { retryAfterSeconds: 1 }, cause)

function isLate(error: unknown): boolean {
  const { code, name } = fieldsOf(error)
  return late.has(String(code)) || name === 'TimeoutError'
}

type ErrorFields = { readonly code?: unknown; readonly name?: unknown; readonly syscall?: unknown }

const fieldsOf = (error: unknown): ErrorFields => (typeof error === 'object' && error !== null ? error : {})
