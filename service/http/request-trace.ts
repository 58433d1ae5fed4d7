// The trace that a request belongs to. It is settled when the headers have arrived, and stays with the request.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { traceIdOf } from '#runtime/tracing/trace-context.ts'
import { joinTrace, type Traced, type Tracing } from '#runtime/tracing/tracing.ts'

type RequestTrace = Traced & { readonly tracing: Tracing | null }
const key = Symbol('trace')
type TracedMessage = IncomingMessage & { [key]?: RequestTrace }

/** By the headers that the gateway sends; without them a trace begins here. */
export function traceRequest({ raw, headers }: FastifyRequest, tracing: Tracing | null): RequestTrace {
  const trace: RequestTrace = { traceparent: '', tracestate: null, span: null, tracing }
  joinTrace(trace, tracing, headers['traceparent'], headers['tracestate'])
  ;(raw as TracedMessage)[key] = trace
  return trace
}

/** For a message that names another trace than its request does, which a gateway of an older version does not read. */
export function joinTraceOfMessage({ raw }: FastifyRequest, traceparent: string, tracestate: string | undefined): void {
  const trace = (raw as TracedMessage)[key]
  if (trace === undefined || traceIdOf(trace.traceparent) === traceIdOf(traceparent)) return
  joinTrace(trace, trace.tracing, traceparent, tracestate)
}

/** Undefined for requests that are no calls, such as health checks. */
export const traceOf = ({ raw }: FastifyRequest): Traced | undefined => (raw as TracedMessage)[key]
