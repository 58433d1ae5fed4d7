// The request log: one line for each call when it is over, with operation, key, status and duration. Never a query, a
// body or a header. Health checks and other requests without a caller are not logged. The gateway is told what a
// request has cost the database, whether it was answered or refused: it charges that to the key.
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { lineWriter, maskedText, type Log } from '#runtime/log.ts'
import { refusalOf } from '#runtime/refusal.ts'
import { countDatabaseTime, type DatabaseTime } from '../execution/database-slots.ts'
import { verifiedPrincipal } from './principal.ts'

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
const traced = new WeakMap<FastifyRequest, string>()

/** For a route that serves several operations, such as MCP: the one that this request calls. */
export function nameOperation(request: FastifyRequest, operation: string): void {
  named.set(request, operation)
}

/** The trace that the caller says this request belongs to: 32 hexadecimal digits. */
export function traceRequest(request: FastifyRequest, traceId: string): void {
  traced.set(request, traceId)
}

export function logRequests(app: FastifyInstance, log: Log, observe: (request: FinishedRequest) => void): void {
  const writeLine = lineWriter(log, 'call')
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.config.operation
    if (route === undefined) return done()
    const startedAt = performance.now()
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.raw.statusCode : clientClosedRequest
      const tookMs = performance.now() - startedAt
      const ms = Math.round(tookMs * 10) / 10
      const { surface = null, workspaceId = null, id: keyId = null } = verifiedPrincipal(request) ?? {}
      const operation = named.get(request) ?? route
      const code = status === clientClosedRequest ? 'client_closed_request' : refusalOf(reply.raw)
      observe({ operation, surface, status, code, ms: tookMs })
      const traceId = traced.get(request)
      const requestId = maskedText(request.id)
      writeLine({ operation, surface, status, ms, keyId, workspaceId, requestId, traceId })
    })
    return done()
  })
}

const times = new WeakMap<FastifyReply, DatabaseTime>()

/** Counts what the work costs that answers this request. */
export function countedFor<T>(reply: FastifyReply, work: () => T): T {
  const time: DatabaseTime = { ms: 0 }
  times.set(reply, time)
  return countDatabaseTime(time, work)
}

/** Before the head of the answer is sent. Of one that streams, what is spent afterwards stays untold. */
export function tellDatabaseTime(reply: FastifyReply): void {
  const ms = Math.round(times.get(reply)?.ms ?? 0)
  if (ms > 0) reply.header(databaseTimeHeader, ms)
}
