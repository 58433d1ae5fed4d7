// One log line per request, written when the request is over: the access log. It never holds the query, the token or
// its hash, which may be secrets. Requests that are not over yet are counted, for a shutdown that waits for them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Fault } from '#contract/faults/fault.ts'
import { addressText, type AddressRange } from '#runtime/ip-address.ts'
import { lineWriter, maskedText, type Log } from '#runtime/log.ts'
import type { Span } from '#runtime/tracing/span.ts'
import { traceIdOf } from '#runtime/tracing/trace-context.ts'
import { joinTrace, type Tracing } from '#runtime/tracing/tracing.ts'
import { callerAddress } from './trusted-proxies.ts'
import { openContext, type RequestContext } from './request-context.ts'

export type RequestLog = {
  /** The line is written when the response closes, from what the context holds by then. */
  begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): RequestContext
  /** For a call that names its trace in its body, which is known later. */
  joinTrace(context: RequestContext, traceparent: string, tracestate: string | undefined): void
  inFlight(): number
}

/** A request that is over, as metrics count it and refusals are kept. */
export type FinishedRequest = {
  readonly method: string
  /** As it was sent, with its query. */
  readonly url: string
  /** The path's template, `none` where there is no such path. */
  readonly route: string
  readonly status: number
  /** A code of faults, or `client_closed_request`; null for what the gateway has not refused. */
  readonly code: string | null
  /** By `performance.now()`. */
  readonly startedAt: number
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

export function openRequestLog(
  log: Log,
  trustedProxies: readonly AddressRange[],
  observe: ObserveRequest,
  tracing: Tracing | null = null,
): RequestLog {
  const writeLine = lineWriter(log, 'request')
  let inFlight = 0

  function begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): RequestContext {
    const startedAt = performance.now()
    const context = openContext(requestId, callerAddress(request, trustedProxies))
    joinTrace(context, tracing, request.headers['traceparent'], request.headers['tracestate'])
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
      context.close(response.writableFinished)
      const status = response.writableFinished ? response.statusCode : clientClosedRequest
      const endedAt = performance.now()
      const over = finished(request, response, { route, status, startedAt, endedAt, context })
      observe(over)
      if (context.span !== null) endSpan(context.span, over)
      writeLine(fieldsOf(request, route, status, endedAt - startedAt, context))
    })
    return context
  }
  return {
    begin,
    joinTrace: (context, traceparent, tracestate) => joinTrace(context, tracing, traceparent, tracestate),
    inFlight: () => inFlight,
  }
}

type Finish = {
  readonly route: string
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
  readonly context: RequestContext
}

function finished(
  { method = '', url = '', socket }: IncomingMessage,
  response: ServerResponse,
  { route, status, startedAt, endedAt, context }: Finish,
): FinishedRequest {
  const { forwardedAt, answeredAt } = context
  const fault = faultNotedOn(response)
  const wasForwarded = forwardedAt > 0
  return {
    method,
    url,
    route,
    status,
    socket,
    context,
    fault,
    startedAt,
    ms: endedAt - startedAt,
    code: status === clientClosedRequest ? 'client_closed_request' : (fault?.code ?? null),
    ownMs: (wasForwarded ? forwardedAt : endedAt) - startedAt,
    upstreamMs: wasForwarded ? (answeredAt > 0 ? answeredAt : endedAt) - forwardedAt : null,
  }
}

/** Of all these the caller alone words the request id; the parser takes no method that it does not know. */
function fieldsOf(request: IncomingMessage, route: string, status: number, ms: number, context: RequestContext) {
  const { address, keyId, workspaceId, requestId, traceparent } = context
  return {
    method: request.method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    clientAddress: address === null ? null : addressText(address),
    keyId,
    workspaceId,
    requestId: maskedText(requestId),
    traceId: traceIdOf(traceparent),
  }
}

/** What the caller did wrong is no error of the server. */
const failedFrom = 500

/** Not the path, which may hold whatever a caller puts there, but its template. */
function endSpan(span: Span, { method, route, status, code, startedAt, context }: FinishedRequest): void {
  const { requestId, keyId, workspaceId, tool } = context
  const hasGone = code === 'client_closed_request'
  span.end({
    name: route === 'none' ? method : `${method} ${route}`,
    kind: 'server',
    startedAt,
    attributes: {
      'http.request.method': method,
      'http.route': route === 'none' ? null : route,
      'url.scheme': 'http',
      'http.response.status_code': hasGone ? null : status,
      'http.request.header.x-request-id': [maskedText(requestId)],
      'gen_ai.tool.name': tool,
      'workspace.id': workspaceId,
      'api_key.id': keyId,
    },
    error: hasGone || status >= failedFrom ? (code ?? String(status)) : null,
  })
}

const key = Symbol('refused')
type Refused = ServerResponse & { [key]?: Fault }

/** Called where the gateway refuses a request. It stays with the response, until the request is counted and kept. */
export function noteFault(response: ServerResponse, fault: Fault): void {
  ;(response as Refused)[key] = fault
}

/** Null for what was answered, by the service or from here. */
const faultNotedOn = (response: ServerResponse): Fault | null => (response as Refused)[key] ?? null
