/** Why no connection was made, where it is known without looking at the network's own error. Its message is only logged. */
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
