// One log line per request, written when the request is over: the access log. It never holds the query, the token or
// its hash, which may be secrets. Requests that are not over yet are counted, for a shutdown that waits for them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Fault } from '#contract/faults/fault.ts'
import { addressText, type AddressRange } from '#runtime/ip-address.ts'
import { lineWriter, maskedText, type Log } from '#runtime/log.ts'
import { callerAddress } from './client-address.ts'
import { faultNotedOn } from './noted-fault.ts'
import { openContext } from './open-context.ts'
import { traceIdFrom } from './request-and-trace-id.ts'
import type { RequestContext } from './request-context.ts'

export type RequestLog = {
  /** The line is written when the response closes, from what the context holds by then. */
  begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): RequestContext
  inFlight(): number
}

/** A request that is over, as metrics count it and refusals are kept. */
export type FinishedRequest = {
  readonly method: string
  /** The path's template, `none` where there is no such path. */
  readonly route: string
  readonly status: number
  /** A code of faults, or `client_closed_request`; null for what the gateway has not refused. */
  readonly code: string | null
  readonly ms: number
  /** Until it went to the service; all of it, where it did not. */
  readonly ownMs: number
  /** From then until the head of the service's answer; null where it did not go there. */
  readonly upstreamMs: number | null
  readonly socket: Socket
  readonly context: RequestContext
  /** What the gateway refused it with, whether or not the caller was still there. */
  readonly fault: Fault | null
}
export type ObserveRequest = (request: FinishedRequest) => void

/** Logged as the status when the caller disconnects before the answer is complete, as nginx does. */
const clientClosedRequest = 499

export function openRequestLog(log: Log, trustedProxies: readonly AddressRange[], observe: ObserveRequest): RequestLog {
  const writeLine = lineWriter(log, 'request')
  let inFlight = 0

  function begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): RequestContext {
    const startedAt = performance.now()
    const context = openContext(requestId, callerAddress(request, trustedProxies))
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
      context.close(response.writableFinished)
      const status = response.writableFinished ? response.statusCode : clientClosedRequest
      const endedAt = performance.now()
      observe(finished(request, response, { route, status, startedAt, endedAt, context }))
      writeLine(fieldsOf(request, route, status, endedAt - startedAt, context))
    })
    return context
  }
  return { begin, inFlight: () => inFlight }
}

type Finish = {
  readonly route: string
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
  readonly context: RequestContext
}

function finished(
  { method = '', socket }: IncomingMessage,
  response: ServerResponse,
  { route, status, startedAt, endedAt, context }: Finish,
): FinishedRequest {
  const { forwardedAt, answeredAt } = context
  const fault = faultNotedOn(response)
  const wasForwarded = forwardedAt > 0
  return {
    ...{ method, route, status, socket, context, fault, ms: endedAt - startedAt },
    code: status === clientClosedRequest ? 'client_closed_request' : (fault?.code ?? null),
    ownMs: (wasForwarded ? forwardedAt : endedAt) - startedAt,
    upstreamMs: wasForwarded ? (answeredAt > 0 ? answeredAt : endedAt) - forwardedAt : null,
  }
}

/** Of all these the caller alone words the request id; the parser takes no method that it does not know. */
function fieldsOf(request: IncomingMessage, route: string, status: number, ms: number, context: RequestContext) {
  const { address, keyId, workspaceId, requestId } = context
  const traceparent = request.headers['traceparent']
  return {
    method: request.method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    clientAddress: address === null ? null : addressText(address),
    keyId,
    workspaceId,
    requestId: maskedText(requestId),
    traceId: traceparent === undefined ? undefined : (traceIdFrom(traceparent) ?? undefined),
  }
}
