// The span of one attempt to have a call answered by a service. The service's own span is a part of it.
import type { Span } from '#runtime/tracing/span.ts'
import type { ServiceAddress } from './dns-resolution.ts'

export type AttemptSpan = {
  readonly traceparent: string
  answered(status: number): void
  /** `kind`: of the failure. */
  failed(kind: string): void
}

/** `number`: 1 for the first attempt. */
export function attemptSpan(call: Span, method: string, { origin }: ServiceAddress, number: number): AttemptSpan {
  const span = call.child()
  const { hostname, port, protocol } = new URL(origin)
  const end = (status: number | null, error: string | null): void =>
    span.end({
      name: method,
      kind: 'client',
      attributes: {
        'http.request.method': method,
        'server.address': hostname,
        'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
        'url.scheme': protocol.slice(0, -1),
        'http.response.status_code': status,
        'http.request.resend_count': number > 1 ? number - 1 : null,
      },
      error,
    })
  return {
    traceparent: span.traceparent,
    answered: (status) => end(status, status >= 400 ? String(status) : null),
    failed: (kind) => end(null, kind),
  }
}
