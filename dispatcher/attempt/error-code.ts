// The class of a failed exchange, which is all that a tenant learns of it. Pure.
import type { DeliveryError } from '#contract/delivery-errors.ts'
import { ConnectError, TargetError } from './ssrf-guard.ts'

export type FailureCode = Extract<
  DeliveryError,
  | 'invalid_url'
  | 'blocked_address'
  | 'dns_error'
  | 'tls_error'
  | 'connect_error'
  | 'connection_closed'
  | 'timeout'
  | 'invalid_response'
>

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO$|HOSTNAME_MISMATCH)/
const timeoutCode = /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/
// Of undici's parser, and of what it takes for granted of an answer and asserts.
const invalidCode = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION)/
const invalidText = /^bad (response|upgrade)$/

export function failureOf(error: unknown): FailureCode {
  if (error instanceof TargetError) return error.reason
  if (error instanceof ConnectError) return commonOf(error.cause) ?? 'connect_error'
  return commonOf(error) ?? (isInvalid(error) ? 'invalid_response' : 'connection_closed')
}

/** What may go wrong before the connection is there as well as after. */
function commonOf(error: unknown): FailureCode | null {
  if ((error instanceof Error && error.name === 'TimeoutError') || timeoutCode.test(codeOf(error))) return 'timeout'
  return tlsCode.test(codeOf(error)) ? 'tls_error' : null
}

const isInvalid = (error: unknown): boolean =>
  invalidCode.test(codeOf(error)) ||
  (error instanceof Error && (error.name === 'HTTPParserError' || invalidText.test(error.message)))

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
