// A permitted call whose answer may hold events, carried to the service by http-proxy-3: MCP before whose result events may
// come, and streams of the settings API. The answer streams, and the call ends when the caller disconnects, which is how
// MCP cancels. The proxy forwards the request as it finds it, so it is rewritten here first. A call with one answer goes
// the way of REST (gateway/upstream/rest-proxy.ts).
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createProxyServer } from 'http-proxy-3'
import { principalHeader } from '#contract/internal/principal.ts'
import type { Timeouts } from './outgoing-call.ts'
import { upstreamHeaders } from './proxy-headers.ts'
import type { RequestContext } from '../request/request-context.ts'
import { pathOf } from '../request/target.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { withFailOver } from './fail-over.ts'
import type { AddressPool } from './address-pool.ts'
import type { Admitted, SignPrincipal } from './signed-principal.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import { streamsMax } from '../overload/open-streams-limit.ts'
import { unavailable, upstreamFault } from './upstream-errors.ts'

/** Resolves when the answer is on its way; rejects with a Fault while none of it has been sent. */
export type ForwardEvents = (
  reply: FastifyReply,
  body: Buffer,
  admitted: Admitted,
  context: RequestContext,
  lasting: Lasting,
) => Promise<void>
/** What may befall a call while it waits for its answer, or is answered. */
type Lasting = {
  onStranded?(): void
  /** Aborted when the answer has to end, however much of it there is. */
  readonly ending?: AbortSignal
}
type EventProxyParts = {
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly timeouts: Timeouts
  isDraining(): boolean
  /** The headers that the caller gets for those of the service. */
  toResponseHeaders(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders
}
export type EventProxy = { readonly forward: ForwardEvents; close(): void }

export function openEventProxy({ pool, signed, ...parts }: EventProxyParts): EventProxy {
  const { proxyOnce, close } = openProxy(parts)

  const forward: ForwardEvents = async (reply, body, admitted, context, { onStranded = () => {}, ending }) => {
    const attempt = (address: ServiceAddress, signal: AbortSignal): Promise<void> => {
      prepare(reply, address, body, admitted, context, signed)
      return proxyOnce(reply, address, signal, body)
    }
    const callerSignal = ending === undefined ? context.signal : AbortSignal.any([context.signal, ending])
    context.forwardedAt = performance.now()
    try {
      await withFailOver(pool, { isRead: reply.request.raw.method === 'GET', callerSignal, onStranded }, attempt)
      context.answeredAt = performance.now()
    } catch (error) {
      throw ending?.aborted === true ? unavailable(error) : upstreamFault(error, true)
    }
  }
  return { forward, close }
}

function openProxy({ timeouts, isDraining, toResponseHeaders }: Omit<EventProxyParts, 'pool' | 'signed'>) {
  const connections = { keepAlive: true, maxSockets: slotsMax + streamsMax }
  const agents = { 'http:': new http.Agent(connections), 'https:': new https.Agent(connections) }
  const proxy = createProxyServer({ connectTimeout: timeouts.connectMs, proxyTimeout: timeouts.bodyMs })
  const timedOut = new WeakSet<http.ServerResponse>()
  /** Answers whose calls were ended from here. */
  const ended = new WeakSet<http.ServerResponse>()
  const upstreamRequests = new WeakMap<http.ServerResponse, http.ClientRequest>()
  proxy.on('proxyReq', (upstream, _request, response) => {
    upstreamRequests.set(response, upstream)
    upstream.once('timeout', () => timedOut.add(response))
  })
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.headers = { ...toResponseHeaders(answer.headers), connection: isDraining() ? 'close' : 'keep-alive' }
    // The proxy would leave the caller waiting for the rest of an answer that broke off, or that was ended here.
    answer.once('close', () => answer.complete || (ended.has(response) ? response.end() : response.destroy()))
    // It would also wait for the first event before it sends the headers of a stream.
    if (isEventStream(answer.headers)) response.once('pipe', () => response.flushHeaders())
  })

  /** Resolves when the answer has begun or the caller has disconnected; rejects when there will be no answer. */
  function proxyOnce(
    { request, raw }: FastifyReply,
    { origin }: ServiceAddress,
    signal: AbortSignal,
    body: Buffer,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (raw.closed) return resolve()
      if (signal.aborted) return reject(signal.reason as Error)
      raw.once('pipe', () => resolve()).once('close', () => resolve())
      const end = (): void => {
        ended.add(raw)
        upstreamRequests.get(raw)?.destroy()
      }
      signal.addEventListener('abort', end, { once: true })
      const agent = origin.startsWith('https:') ? agents['https:'] : agents['http:']
      proxy.web(request.raw, raw, { target: origin, agent, buffer: Readable.from(body) }, (error) => {
        if (raw.headersSent) raw.destroy()
        reject(timedOut.has(raw) ? new DOMException('The service was silent', 'TimeoutError') : error)
      })
    })
  }
  return { proxyOnce, close: () => Object.values(agents).forEach((agent) => agent.destroy()) }
}

/** Sets what the proxy reads: URL and headers of the request, and the headers that the answer has already. */
function prepare(
  { request, raw }: FastifyReply,
  { host }: ServiceAddress,
  body: Buffer,
  { principal, query, told }: Admitted,
  context: RequestContext,
  signed: SignPrincipal,
): void {
  const { method = '' } = request.raw
  const path = pathOf(request.raw.url ?? '')
  request.raw.url = query === '' ? path : `${path}?${query}`
  request.raw.headers = upstreamHeaders(request.raw.headers, {
    [principalHeader]: signed(principal, method, path),
    host,
    'x-request-id': context.requestId,
    ...told,
    ...(method === 'POST' && { 'content-length': String(body.length) }),
  })
  raw.setHeader('x-request-id', context.requestId)
}

const isEventStream = (headers: http.IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true
