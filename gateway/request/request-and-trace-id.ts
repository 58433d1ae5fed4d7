// The two ids by which a request is found in the logs: ours, which is in every answer, and that of the caller's trace.
import { randomUUID } from 'node:crypto'

const safeId = /^[\w.:@/+=-]{1,128}$/
/** W3C Trace Context. The header itself goes on to the service as it came. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/

/** Returns the caller's X-Request-Id where it is harmless in a log line and a header, else a new UUID. */
export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && safeId.test(header) ? header : randomUUID()

/** Returns the trace id of a `traceparent` header, null when the header is missing or malformed. */
export const traceIdFrom = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? (traceparent.exec(header)?.[1] ?? null) : null
