// The class of a failed exchange, which is all that a tenant learns of it. Pure.
import { TargetError } from './guard.ts'

export type FailureCode =
  | 'invalid_url'
  | 'blocked_address'
  | 'dns_error'
  | 'tls_error'
  | 'connect_error'
  | 'timeout'
  | 'invalid_response'

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO$|HOSTNAME_MISMATCH)/

export function failureOf(error: unknown): FailureCode {
  if (error instanceof TargetError) return error.reason
  if (!(error instanceof Error)) return 'connect_error'
  const code = 'code' in error ? String(error.code) : ''
  if (error.name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (tlsCode.test(code)) return 'tls_error'
  return error.name === 'HTTPParserError' || error.name === 'HeadersOverflowError'
    ? 'invalid_response'
    : 'connect_error'
}
