// What went wrong on the way to the service, as something a caller may see. Only what was surely never sent is called
// `unavailable` without a doubt; the detail stays in our log.
import { Fault } from '#contract/fault.ts'

const notConnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNECT_TIMEOUT',
])
const late = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** Did the address take no connection? Then nothing was sent, and another one may be tried. */
export const isNotConnected = (error: unknown): boolean => notConnected.has(codeOf(error))

export function upstreamFault(error: unknown): Fault {
  // reply-from wraps what it was told; a body that was cut off is a Fault of ours.
  const cause = error instanceof Error && !(error instanceof Fault) && error.cause !== undefined ? error.cause : error
  if (cause instanceof Fault) return cause
  if (isNotConnected(cause)) return unavailable(cause)
  if (late.has(codeOf(cause))) return new Fault('timeout', 'The service did not answer in time.', {}, cause)
  return new Fault('upstream_error', 'The service broke off.', {}, cause)
}

export const unavailable = (cause?: unknown): Fault =>
  new Fault('unavailable', 'The service cannot be reached at the moment.', { retryAfterSeconds: 1 }, cause)

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)
