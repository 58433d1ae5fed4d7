// Errors of a send, and the code that each is told as: the code is all that the owner of the webhook learns. Pure.
import type { DeliveryError } from '#contract/delivery-errors.ts'

export type NetworkErrorCode = Extract<
  DeliveryError,
  | 'invalid_url'
  | 'blocked_address'
  | 'dns_error'
  | 'tls_error'
  | 'connect_error'
  | 'connection_closed'
  | 'timeout'
  | 'invalid_response'
  | 'interrupted'
>

/** Says why no connection was made, where that is known without the network's own error. Its message is only logged. */
export class TargetError extends Error {
  readonly reason: 'blocked_address' | 'dns_error' | 'connect_error' | 'timeout' | 'invalid_response'
  constructor(reason: TargetError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** No connection was made, for the reason in `cause`. */
export class ConnectError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/** The operator's proxy cannot be used, whatever the receiver is like. */
export class ProxyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO$|HOSTNAME_MISMATCH)/
const timeoutCode = /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/
// Codes of undici's parser, of its assertions about an answer, and of the bound on its bytes.
const invalidCode = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION|ERR_ANSWER_TOO_LONG)/
const invalidText = /^bad (response|upgrade)$/

export function networkErrorCode(error: unknown): NetworkErrorCode {
  if (error instanceof TargetError) return error.reason
  if (error instanceof ConnectError) return phaselessCode(error.cause) ?? 'connect_error'
  return phaselessCode(error) ?? (isInvalid(error) ? 'invalid_response' : 'connection_closed')
}

/** The code of what may go wrong while connecting as well as afterwards; null for anything else. */
function phaselessCode(error: unknown): NetworkErrorCode | null {
  if ((error instanceof Error && error.name === 'TimeoutError') || timeoutCode.test(codeOf(error))) return 'timeout'
  return tlsCode.test(codeOf(error)) ? 'tls_error' : null
}

const isInvalid = (error: unknown): boolean =>
  invalidCode.test(codeOf(error)) ||
  (error instanceof Error && (error.name === 'HTTPParserError' || invalidText.test(error.message)))

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
