// What becomes known of one request while it is served: for its log line and for the headers of its answer. Also the
// place that notices when the caller has left.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Address, AddressRange } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import type { Quota } from '../rate-limit/rate-limiter.ts'
import { clientAddress } from './client-address.ts'
import { traceIdFrom } from './trace-id.ts'

export type Trace = {
  readonly requestId: string
  /** Whose call it is, behind the proxies that are trusted. */
  readonly address: Address | null
  keyId: string | null
  workspaceId: string | null
  quota: Quota | null
  /** Aborted when the caller leaves before the answer is complete. */
  readonly left: AbortSignal
}
export type Running = {
  readonly count: () => number
  begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): Trace
}

const leftEarly = 499

/** One log line a request, when it is over. Never the query, the token or its hash: they may hold secrets. */
export function requestsRunning(log: Log, trusted: readonly AddressRange[]): Running {
  let running = 0

  function begin(request: IncomingMessage, response: ServerResponse, requestId: string, route: string): Trace {
    const controller = new AbortController()
    const startedAt = performance.now()
    const forwardedFor = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
    const address = clientAddress(request.socket.remoteAddress, forwardedFor, trusted)
    const trace: Trace = { requestId, address, keyId: null, workspaceId: null, quota: null, left: controller.signal }
    running += 1
    response.once('close', () => {
      running -= 1
      if (!response.writableFinished) controller.abort()
      const status = response.writableFinished ? response.statusCode : leftEarly
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      const { keyId, workspaceId } = trace
      const traceId = traceIdFrom(request.headers['traceparent'])
      const who = { clientAddress: address?.toString() ?? null, keyId, workspaceId, requestId }
      const ids = { ...who, ...(traceId !== null && { traceId }) }
      log.info({ method: request.method, route, status, ms, ...ids }, 'request')
    })
    return trace
  }
  return { begin, count: () => running }
}
