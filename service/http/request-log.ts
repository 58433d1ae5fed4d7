// The request log: one line for each call when it is over, with operation, key, status and duration. Never a query, a
// body or a header. Health checks and other requests without a caller are not logged. The gateway is told what a
// request has cost the database, whether it was answered or refused: it charges that to the key.
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { lineWriter, maskedText, type Log } from '#runtime/log.ts'
import { refusalOf } from '#runtime/refusal.ts'
import { runInSpan, type Span } from '#runtime/tracing/span.ts'
import { traceIdOf } from '#runtime/tracing/trace-context.ts'
import type { Tracing } from '#runtime/tracing/tracing.ts'
import { countDatabaseTime, type DatabaseTime } from '../execution/database-slots.ts'
import { verifiedPrincipal } from './principal.ts'
import { traceOf, traceRequest } from './request-trace.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in the request log. */
    operation?: string
  }
}

/** A request that is over, as the metrics count it. */
export type FinishedRequest = {
  readonly operation: string
  /** Null when no caller was known. */
  readonly surface: string | null
  readonly status: number
  readonly code: string | null
  readonly ms: number
}

/** The caller closed the connection before the answer was out; nginx's status for it. */
const clientClosedRequest = 499
const named = new WeakMap<FastifyRequest, string>()

/** For a route that serves several operations, such as MCP: the one that this request calls. */
export function nameOperation(request: FastifyRequest, operation: string): void {
  named.set(request, operation)
}

export function logRequests(
  app: FastifyInstance,
  log: Log,
  observe: (request: FinishedRequest) => void,
  tracing: Tracing | null,
): void {
  const writeLine = lineWriter(log, 'call')
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.config.operation
    if (route === undefined) return done()
    const startedAt = performance.now()
    const trace = traceRequest(request, tracing)
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.raw.statusCode : clientClosedRequest
      const tookMs = performance.now() - startedAt
      const ms = Math.round(tookMs * 10) / 10
      const { surface = null, workspaceId = null, id: keyId = null } = verifiedPrincipal(request) ?? {}
      const operation = named.get(request) ?? route
      const code = status === clientClosedRequest ? 'client_closed_request' : refusalOf(reply.raw)
      observe({ operation, surface, status, code, ms: tookMs })
      const requestId = maskedText(request.id)
      if (trace.span !== null)
        endSpan(trace.span, request, { operation, status, code, workspaceId, keyId, requestId, startedAt })
      const traceId = traceIdOf(trace.traceparent)
      writeLine({ operation, surface, status, ms, keyId, workspaceId, requestId, traceId })
    })
    return done()
  })
}

type Finished = Pick<FinishedRequest, 'operation' | 'status' | 'code'> & {
  readonly workspaceId: string | null
  readonly keyId: string | null
  readonly requestId: string
  readonly startedAt: number
}

/** What the caller did wrong is no error of the server. */
const failedFrom = 500

function endSpan(span: Span, { method, routeOptions }: FastifyRequest, finished: Finished): void {
  const { operation, status, code, workspaceId, keyId, requestId, startedAt } = finished
  const route = routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}') ?? ''
  span.end({
    name: `${method} ${route}`,
    kind: 'server',
    startedAt,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': 'http',
      'http.response.status_code': status === clientClosedRequest ? null : status,
      'http.request.header.x-request-id': [requestId],
      'operation.name': operation,
      'workspace.id': workspaceId,
      'api_key.id': keyId,
    },
    error: status >= failedFrom || status === clientClosedRequest ? (code ?? String(status)) : null,
  })
}

const times = new WeakMap<FastifyReply, DatabaseTime>()

/** Counts what the work costs that answers this request, and has its statements belong to the request's span. */
export function countedFor<T>(reply: FastifyReply, work: () => T): T {
  const time: DatabaseTime = { ms: 0 }
  times.set(reply, time)
  const span = traceOf(reply.request)?.span ?? null
  return countDatabaseTime(time, span === null ? work : () => runInSpan(span, work))
}

/** Before the head of the answer is sent. Of one that streams, what is spent afterwards stays untold. */
export function tellDatabaseTime(reply: FastifyReply): void {
  const ms = Math.round(times.get(reply)?.ms ?? 0)
  if (ms > 0) reply.header(databaseTimeHeader, ms)
}
