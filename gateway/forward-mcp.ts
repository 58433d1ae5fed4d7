// A judged MCP call, carried to the service by http-proxy-3: the answer streams, and the call ends when the caller goes
// away, which is how MCP cancels. The proxy passes on whatever it finds, so what it finds is put in place here first.
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createProxyServer } from 'http-proxy-3'
import { Fault } from '#contract/fault.ts'
import { mcpPath } from '#contract/route.ts'
import type { Admitted } from './admission.ts'
import type { Timeouts } from './forward.ts'
import { towardsCaller, towardsService } from './headers.ts'
import { quotaHeader } from './policies/answer-headers.ts'
import type { Trace } from './trace.ts'
import type { SignPrincipal } from './upstream/principal-header.ts'
import { isNotConnected, upstreamFault } from './upstream-error.ts'
import { slotsMax } from './upstream/slots.ts'
import type { Upstreams } from './upstreams.ts'

/** Resolves when the answer is on its way; rejects with a Fault while none of it has been sent. */
export type ForwardMcp = (reply: FastifyReply, body: Buffer, admitted: Admitted, trace: Trace) => Promise<void>
export type McpProxy = { readonly forward: ForwardMcp; close(): void }

export function openMcpProxy(
  upstreams: Upstreams,
  signed: SignPrincipal,
  timeouts: Timeouts,
  isDraining: () => boolean,
): McpProxy {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: slotsMax }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: slotsMax }),
  }
  const proxy = createProxyServer({ connectTimeout: timeouts.connectMs, proxyTimeout: timeouts.bodyMs })
  const late = new WeakSet<http.ServerResponse>()
  proxy.on('proxyReq', (upstream, _request, response) => void upstream.once('timeout', () => late.add(response)))
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.headers = { ...towardsCaller(answer.headers), connection: isDraining() ? 'close' : 'keep-alive' }
    // The proxy would leave the caller waiting for the rest of an answer that broke off.
    answer.once('close', () => answer.complete || response.destroy())
  })

  /** Undefined once the answer has begun; the error where it never will. */
  function once(reply: FastifyReply, origin: string, body: Buffer): Promise<unknown> {
    const { raw } = reply
    return new Promise((resolve) => {
      raw.once('pipe', () => resolve(undefined)).once('close', () => resolve(undefined))
      const agent = origin.startsWith('https:') ? agents['https:'] : agents['http:']
      proxy.web(reply.request.raw, raw, { target: origin, agent, buffer: Readable.from(body) }, (error) => {
        if (raw.headersSent) raw.destroy()
        resolve(late.has(raw) ? new Fault('timeout', 'The service did not answer in time.', {}, error) : error)
      })
    })
  }

  async function forward(
    reply: FastifyReply,
    body: Buffer,
    admitted: Admitted,
    trace: Trace,
    tries = upstreams.count,
  ): Promise<void> {
    const origin = upstreams.next()
    prepare(reply, body, admitted, trace, signed)
    const error = trace.left.aborted ? undefined : await once(reply, origin, body)
    if (error === undefined) return
    if (!isNotConnected(error)) throw upstreamFault(error)
    upstreams.leaveOut(origin)
    if (tries <= 1) throw upstreamFault(error)
    return forward(reply, body, admitted, trace, tries - 1)
  }
  return {
    forward: (reply, body, admitted, trace) => forward(reply, body, admitted, trace),
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  }
}

/** What the proxy reads: the address and headers of the request, and those already set on the answer. */
function prepare(
  { request, raw }: FastifyReply,
  body: Buffer,
  { principal, query }: Admitted,
  trace: Trace,
  signed: SignPrincipal,
): void {
  request.raw.url = query === '' ? mcpPath : `${mcpPath}?${query}`
  request.raw.headers = towardsService(request.raw.headers, {
    ...signed(principal, 'POST', mcpPath),
    'x-request-id': trace.requestId,
    'content-length': String(body.length),
  })
  raw.setHeader('x-request-id', trace.requestId)
  if (trace.quota !== null) raw.setHeader('ratelimit', quotaHeader(trace.quota))
}
