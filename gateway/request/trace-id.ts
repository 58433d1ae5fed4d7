// W3C Trace Context: the header goes through to the service as it came; its trace id is for the log line.
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/

/** Null where there is none, or none that can be read. */
export const traceIdFrom = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? (traceparent.exec(header)?.[1] ?? null) : null
