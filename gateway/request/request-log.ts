// One log line per request, written when the request is over: the access log. It never holds the query, the token or
// its hash, which may be secrets. Requests that are not over yet are counted, for a shutdown that waits for them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressRange } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import { clientAddress } from './client-address.ts'
import { traceIdFrom } from './request-and-trace-id.ts'
import type { RequestContext } from './request-context.ts'

export type RequestLog = {
  /** The line is written when the response closes, from what the context holds by then. */
  begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): RequestContext
  inFlight(): number
}

/** Logged as the status when the caller disconnects before the answer is complete, as nginx does. */
const clientClosedRequest = 499

export function openRequestLog(log: Log, trustedProxies: readonly AddressRange[]): RequestLog {
  let inFlight = 0

  function begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): RequestContext {
    const controller = new AbortController()
    const startedAt = performance.now()
    const { signal } = controller
    const address = addressOf(request, trustedProxies)
    const unknown = { keyId: null, workspaceId: null, rateSubject: null, quota: null }
    const context: RequestContext = { requestId, address, ...unknown, signal }
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
      if (!response.writableFinished) controller.abort()
      const status = response.writableFinished ? response.statusCode : clientClosedRequest
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      log.info({ method: request.method, route, status, ms, ...idsOf(request, context) }, 'request')
    })
    return context
  }
  return { begin, inFlight: () => inFlight }
}

function addressOf({ headers, socket }: IncomingMessage, trustedProxies: readonly AddressRange[]) {
  const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',')
  return clientAddress(socket.remoteAddress, forwardedFor, trustedProxies)
}

function idsOf({ headers }: IncomingMessage, { address, keyId, workspaceId, requestId }: RequestContext) {
  const traceId = traceIdFrom(headers['traceparent'])
  const ids = { clientAddress: address?.toString() ?? null, keyId, workspaceId, requestId }
  return { ...ids, ...(traceId !== null && { traceId }) }
}
