// A permitted MCP call, carried to the service by http-proxy-3: the answer streams, and the call ends when the caller
// disconnects, which is how MCP cancels. The proxy forwards the request as it finds it, so it is rewritten here first.
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createProxyServer } from 'http-proxy-3'
import { mcpPath } from '#contract/route-paths.ts'
import type { Timeouts } from './rest-proxy.ts'
import { upstreamHeaders } from './proxy-headers.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { withFailOver } from './fail-over.ts'
import type { AddressPool } from './address-pool.ts'
import type { Admitted, SignPrincipal } from './signed-principal.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import { upstreamFault } from './upstream-errors.ts'

/** Resolves when the answer is on its way; rejects with a Fault while none of it has been sent. */
export type ForwardMcp = (
  reply: FastifyReply,
  body: Buffer,
  admitted: Admitted,
  context: RequestContext,
  onStranded: () => void,
) => Promise<void>
type McpProxyParts = {
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly timeouts: Timeouts
  isDraining(): boolean
  /** The headers that the caller gets for those of the service. */
  toResponseHeaders(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders
}
export type McpProxy = { readonly forward: ForwardMcp; close(): void }

export function openMcpProxy({ pool, signed, ...parts }: McpProxyParts): McpProxy {
  const { proxyOnce, close } = openProxy(parts)

  const forward: ForwardMcp = async (reply, body, admitted, context, onStranded) => {
    const attempt = (address: ServiceAddress, signal: AbortSignal): Promise<void> => {
      prepare(reply, address, body, admitted, context, signed)
      return proxyOnce(reply, address, signal, body)
    }
    try {
      await withFailOver(pool, { isRead: false, callerSignal: context.signal, onStranded }, attempt)
    } catch (error) {
      throw upstreamFault(error, true)
    }
  }
  return { forward, close }
}

function openProxy({ timeouts, isDraining, toResponseHeaders }: Omit<McpProxyParts, 'pool' | 'signed'>) {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: slotsMax }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: slotsMax }),
  }
  const proxy = createProxyServer({ connectTimeout: timeouts.connectMs, proxyTimeout: timeouts.bodyMs })
  const timedOut = new WeakSet<http.ServerResponse>()
  const upstreamRequests = new WeakMap<http.ServerResponse, http.ClientRequest>()
  proxy.on('proxyReq', (upstream, _request, response) => {
    upstreamRequests.set(response, upstream)
    upstream.once('timeout', () => timedOut.add(response))
  })
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.headers = { ...toResponseHeaders(answer.headers), connection: isDraining() ? 'close' : 'keep-alive' }
    // The proxy would leave the caller waiting for the rest of an answer that broke off.
    answer.once('close', () => answer.complete || response.destroy())
  })

  /** Resolves when the answer has begun or the caller has disconnected; rejects when there will be no answer. */
  function proxyOnce(
    { request, raw }: FastifyReply,
    { origin }: ServiceAddress,
    signal: AbortSignal,
    body: Buffer,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (raw.closed || signal.aborted) return resolve()
      raw.once('pipe', () => resolve()).once('close', () => resolve())
      signal.addEventListener('abort', () => upstreamRequests.get(raw)?.destroy(), { once: true })
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
  { principal, query }: Admitted,
  context: RequestContext,
  signed: SignPrincipal,
): void {
  request.raw.url = query === '' ? mcpPath : `${mcpPath}?${query}`
  request.raw.headers = upstreamHeaders(request.raw.headers, {
    ...signed(principal, 'POST', mcpPath),
    host,
    'x-request-id': context.requestId,
    'content-length': String(body.length),
  })
  raw.setHeader('x-request-id', context.requestId)
}
