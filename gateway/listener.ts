// The HTTP server itself: its timeouts, and its answer to what is no HTTP request that can be read.
import { createServer, maxHeaderSize, STATUS_CODES, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { Fault, type FaultMembers } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'
import type { FaultCode } from '#contract/faults/fault.ts'
import { goesOn } from '#runtime/lasting-requests.ts'
import { tally } from '#runtime/metrics/metric.ts'
import { pathSegmentLengthMax } from '#contract/route-paths.ts'
import { commonHeaders, errorHeaders } from './responses/gateway-headers.ts'
import type { TakeCall } from './calls/api.ts'
import { requestIdFrom } from './request/request-context.ts'
import { unreadableAddress } from './request/request-head.ts'
import type { RequestLog } from './request/request-log.ts'
import { sendProblem } from './responses/problem-details.ts'

export type ReceiveTimeouts = {
  readonly requestMs: number
  readonly headersMs: number
  /** How long a connection stays open without a request. */
  readonly keepAliveMs: number
}

const bodyMethods = ['POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const

/** `take` is offered each request first; those that it does not take are Fastify's. */
export function httpServer(
  brand: string,
  timeouts: ReceiveTimeouts,
  take: TakeCall,
  { begin }: Pick<RequestLog, 'begin'>,
): FastifyInstance {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    serverFactory: (serve) =>
      createServer(optionsOf(timeouts), (request, response) => {
        if (!take(request, response)) serve(request, response)
      }),
    routerOptions: { querystringParser: () => ({}), maxParamLength: pathSegmentLengthMax },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket),
    // An address that cannot be decoded: no hook has seen the request, so its log line begins here.
    frameworkErrors: (_error, request, reply) => {
      begin(request.raw, reply.raw, request.id, 'none')
      void sendProblem(reply.headers({ ...commonHeaders, 'x-request-id': request.id }), unreadableAddress(), brand)
    },
  })
  app.server.on('checkExpectation', (_request, response) => {
    const { status, headers, body } = errorResponse('expectation_failed')
    response.writeHead(status, headers).end(body)
  })
  // All of them count: Node would leave out those beyond a thousand. Their size has a bound.
  app.server.maxHeadersCount = 0
  // Without a listener Node would close the connection without a word.
  app.server.on('connect', (_request, socket: Socket) => endWith('invalid_http', socket))
  // Bodies are streamed to the service: Fastify is told that there are none, so that it neither parses nor refuses any.
  for (const method of bodyMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  return app
}

const optionsOf = ({ requestMs, headersMs, keepAliveMs }: ReceiveTimeouts): ServerOptions => ({
  requestTimeout: requestMs,
  headersTimeout: headersMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: Math.min(1_000, requestMs),
  // Refused by ourselves (gateway/responses/error-handler.ts), with the headers of every answer.
  requireHostHeader: false,
})

/** What was answered without a request that could be read, in this process. */
export const refusedConnections = tally(['code'])

/** For a connection that is one too many. Nothing of it is read. */
export function refuseAnother(socket: Socket): void {
  endWith('rate_limited', socket)
  socket.destroySoon()
}

/** The answer that is next on a socket, which Node keeps there. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null }
const refused = new WeakSet<Socket>()

/**
 * Answers a request that is no HTTP, too slow or has too many headers, and closes the connection: once the answers to
 * the whole requests before it have left, or they would be taken for each other.
 */
function refuseConnection(error: Error & { code?: string }, socket: AnsweringSocket): void {
  if (goesOn(error, socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (refused.has(socket)) return
  refused.add(socket)
  refuseInTurn(reasons[error.code ?? ''] ?? 'invalid_http', socket)
}

function refuseInTurn(code: UnreadableCode, socket: AnsweringSocket): void {
  const { _httpMessage: pending } = socket
  if (!pending) return endWith(code, socket)
  // Node puts the next answer in its place before this is called.
  if (pending.req.complete) pending.once('finish', () => refuseInTurn(code, socket))
  else if (pending.writableEnded) socket.end()
  else if (pending.headersSent) socket.destroy()
  else endWith(code, socket)
}

function endWith(code: UnreadableCode, socket: Socket): void {
  refusedConnections.add({ code })
  const { status, headers, body } = errorResponse(code)
  const head = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'))
}

const reasons: Readonly<Record<string, UnreadableCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}
const detailOf = {
  invalid_http: 'The request could not be read as an HTTP/1.1 request. This server does not support HTTP/2.',
  request_timeout: 'The request was not complete in time.',
  headers_too_large: `All headers together can have at most ${maxHeaderSize} bytes.`,
  rate_limited: 'The address has as many connections open as one may have.',
  expectation_failed: 'Send `Expect: 100-continue`, or no `Expect` header.',
} as const satisfies Partial<Record<FaultCode, string>>
type UnreadableCode = keyof typeof detailOf
/** A connection that another ends may be closed by then. */
const anotherAfterSeconds = 1
const membersOf: Partial<Record<UnreadableCode, FaultMembers>> = {
  rate_limited: { retryAfterSeconds: anotherAfterSeconds, 'violated-policies': ['connections'] },
}

/** To a request that could not be read, so that its path is not known. */
function errorResponse(code: UnreadableCode) {
  const fault = new Fault(code, detailOf[code], membersOf[code])
  const requestId = requestIdFrom(undefined)
  const { instance: _unknown, ...known } = problem(fault, requestId, '')
  const body = JSON.stringify(known)
  const content = { 'content-type': 'application/problem+json', 'content-length': String(Buffer.byteLength(body)) }
  const headers = { ...commonHeaders, ...content, ...errorHeaders(fault, ''), 'x-request-id': requestId }
  return { status: fault.status, headers, body }
}
