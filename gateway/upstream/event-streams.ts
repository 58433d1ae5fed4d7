// Calls whose answer may hold events, carried to the service by http-proxy-3: MCP before whose result events may come,
// and the streams of the settings. An answer lasts as long as it likes, and ends when the caller disconnects, which is
// how MCP cancels. What http-proxy-3 would take from the caller's request is rewritten here first, and the answer's
// head is written here as well: both are those of all other calls (gateway/upstream/proxy.ts).
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy-3'
import type { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import { lazyBody, type Body } from '../overload/request-bodies.ts'
import { streamsMax } from '../overload/open-streams-limit.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { AddressPool } from './address-pool.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { withFailOver, fillHead, isRead } from './service-call.ts'
import { answerHead } from './headers.ts'
import type { Trust } from './service-client.ts'
import type { SignPrincipal } from './signed-principal.ts'
import { attemptSpan } from './attempt-span.ts'
import { failureOf, unavailable, upstreamFault } from './upstream-errors.ts'
import type { GatewayHeaders } from '../responses/gateway-headers.ts'

type Stream = {
  readonly path: string
  /** Name, value, name, value… */
  readonly head: string[]
  readonly body: Body
  readonly principal: Principal
  readonly context: RequestContext
  readonly gatewayHeaders: GatewayHeaders
  readonly ending?: AbortSignal | undefined
  onStranded(): void
  refuse(fault: Fault): void
}
type EventStreamsDeps = {
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly trust: Trust
  readonly connectMs: number
  /** For so long nothing may come from the service. */
  readonly silentMs: number
  isStopping(): boolean
}
export type EventStreams = {
  forward(request: http.IncomingMessage, response: http.ServerResponse, stream: Stream): void
  close(): void
}

export function openEventStreams({ pool, signed, ...connection }: EventStreamsDeps): EventStreams {
  const { proxyOnce, close } = openProxyServer(connection)

  async function forward(request: http.IncomingMessage, response: http.ServerResponse, stream: Stream): Promise<void> {
    const { path, head, body, principal, context, ending, onStranded, refuse } = stream
    const { method = '' } = request
    const callerSignal = ending === undefined ? context.signal : AbortSignal.any([context.signal, ending])
    let attempts = 0
    const attempt = async (address: ServiceAddress, signal: AbortSignal): Promise<void> => {
      attempts += 1
      const span = context.span === null ? null : attemptSpan(context.span, method, address, attempts)
      fillHead(head, address, signed(principal, method, path), span?.traceparent ?? context.traceparent)
      request.url = path
      request.headers = headersOf(head)
      try {
        await proxyOnce(request, response, { address, body, signal, gatewayHeaders: stream.gatewayHeaders })
        span?.answered(response.statusCode)
      } catch (error) {
        span?.failed(failureOf(error))
        throw error
      }
    }
    context.forwardedAt = performance.now()
    try {
      await withFailOver(pool, { isRead: isRead(method), callerSignal, onStranded }, attempt)
      context.answeredAt = performance.now()
    } catch (error) {
      if (context.isAborted) return
      refuse(ending?.aborted === true ? unavailable(error) : upstreamFault(error, !isRead(method)))
    }
  }
  return { forward: (request, response, stream) => void forward(request, response, stream), close }
}

type Attempt = {
  readonly address: ServiceAddress
  readonly body: Body
  /** Aborted when it has to end, before the answer has begun or after it. */
  readonly signal: AbortSignal
  readonly gatewayHeaders: GatewayHeaders
}
/** An attempt that is under way. */
type Open = {
  readonly gatewayHeaders: GatewayHeaders
  readonly hasBegun: () => void
  upstream: http.ClientRequest | null
  isTimedOut: boolean
  /** Ended from here. */
  isEnded: boolean
}

function openProxyServer({ trust, connectMs, silentMs, isStopping }: Omit<EventStreamsDeps, 'pool' | 'signed'>) {
  const connections = { keepAlive: true, maxSockets: slotsMax + streamsMax }
  const agents = { 'http:': new http.Agent(connections), 'https:': new https.Agent({ ...connections, ...trust }) }
  const proxy = createProxyServer({ connectTimeout: connectMs, proxyTimeout: silentMs })
  const attempts = new WeakMap<http.ServerResponse, Open>()
  proxy.on('proxyReq', (upstream, _request, response) => {
    const attempt = attempts.get(response)
    if (attempt === undefined || attempt.isEnded) {
      upstream.destroy()
      return
    }
    attempt.upstream = upstream
    upstream.once('timeout', () => (attempt.isTimedOut = true))
  })
  proxy.on('proxyRes', (answer, _request, response) => {
    const attempt = attempts.get(response)
    if (attempt === undefined || response.closed) return
    begin(answer, response, attempt.gatewayHeaders, isStopping())
    // The proxy would leave the caller waiting for the rest of an answer that broke off, or that was ended here.
    answer.once('close', () => answer.complete || (attempt.isEnded ? response.end() : response.destroy()))
    attempt.hasBegun()
  })

  /** Resolves when the answer has begun or the caller has disconnected; rejects when there will be no answer. */
  function proxyOnce(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    { address: { origin }, body, signal, gatewayHeaders }: Attempt,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (response.closed) return resolve()
      if (signal.aborted) return reject(signal.reason as Error)
      const attempt: Open = { gatewayHeaders, hasBegun: resolve, upstream: null, isTimedOut: false, isEnded: false }
      attempts.set(response, attempt)
      response.once('close', () => resolve())
      const end = (): void => {
        attempt.isEnded = true
        attempt.upstream?.destroy()
      }
      signal.addEventListener('abort', end, { once: true })
      const agent = origin.startsWith('https:') ? agents['https:'] : agents['http:']
      const buffer = Readable.from(lazyBody(body) ?? [], { objectMode: false })
      proxy.web(request, response, { target: origin, agent, buffer }, (error) => {
        if (response.headersSent) response.destroy()
        reject(attempt.isTimedOut ? new DOMException('The service was silent', 'TimeoutError') : error)
      })
    })
  }
  return { proxyOnce, close: () => Object.values(agents).forEach((agent) => agent.destroy()) }
}

/** Writes the head, before http-proxy-3 would write one of its own. */
function begin(
  { statusCode = 502, rawHeaders, headers }: http.IncomingMessage,
  response: http.ServerResponse,
  { list, names }: GatewayHeaders,
  ends: boolean,
): void {
  // Said here, or Node would add for how long: callers keep connections that long on which no stream is left.
  const ours = [...list, 'connection', ends ? 'close' : 'keep-alive']
  const bytes = rawHeaders.map((text) => Buffer.from(text, 'latin1'))
  response.writeHead(statusCode, answerHead(bytes, ours, names).headers)
  // The head of a stream does not wait for its first event.
  if (headers['content-type']?.startsWith('text/event-stream') === true) response.flushHeaders()
}

/** The list as the object that http-proxy-3 takes. It inherits nothing, which a header could be called as. */
function headersOf(head: readonly string[]): http.IncomingHttpHeaders {
  const headers = Object.create(null) as NodeJS.Dict<string | string[]>
  for (let at = 0; at < head.length; at += 2) {
    const [name, value] = [head[at]?.toLowerCase() ?? '', head[at + 1] ?? '']
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}
