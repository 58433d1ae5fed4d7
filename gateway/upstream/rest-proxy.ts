// Permitted REST calls, streamed to the service and back by reply-from. Its own way of finding the destination is not
// used: path, body and the caller's disconnecting travel beside the headers to a dispatcher of ours, which ends the
// call to the service when the caller goes, and finds an address that takes it (gateway/upstream/fail-over.ts).
import type { IncomingHttpHeaders } from 'node:http'
import replyFrom from '@fastify/reply-from'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import type { Fault } from '#contract/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { pathOf } from '../request/target.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { AddressPool } from './address-pool.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import { withFailOver } from './fail-over.ts'
import { lazyBody, type Body } from '../overload/forward-body.ts'
import type { Admitted, SignPrincipal } from './signed-principal.ts'
import { upstreamHeaders } from './proxy-headers.ts'
import { upstreamFault } from './upstream-errors.ts'

export type Timeouts = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number }
export const upstreamTimeouts: Timeouts = { connectMs: 1_000, headersMs: 30_000, bodyMs: 60_000 }

type Forwarding = {
  readonly body: Body
  /** The headers that the caller gets for those of the service. */
  toResponseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders
  onStranded(): void
}
export type ForwardRest = (
  reply: FastifyReply,
  admitted: Admitted,
  context: RequestContext,
  forwarding: Forwarding,
) => FastifyReply
type Parts = { readonly pool: AddressPool; readonly signed: SignPrincipal; readonly timeouts: Timeouts }

export async function openRestProxy(app: FastifyInstance, { pool, signed, timeouts }: Parts): Promise<ForwardRest> {
  const agent = new Agent({
    connections: slotsMax,
    connect: { timeout: timeouts.connectMs, rejectUnauthorized: true },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  })
  app.addHook('onClose', () => agent.destroy())
  await app.register(replyFrom, {
    base: 'http://service',
    undici: { request: requestOver(agent, pool, signed) },
    retryMethods: [],
    disableRequestLogging: true,
  })

  return (reply, { principal, query }, context, { body, toResponseHeaders, onStranded }) => {
    const { request } = reply
    const { requestId, signal } = context
    const path = query === '' ? pathOf(request.url) : `${pathOf(request.url)}?${query}`
    const added: IncomingHttpHeaders = { 'x-request-id': requestId }
    const length = body instanceof Buffer ? String(body.length) : request.headers['content-length']
    if (body !== null && length !== undefined) added['content-length'] = length
    const call: Call = { path, body, principal, callerSignal: signal, onStranded }
    const headers: CallHeaders = { ...upstreamHeaders(request.headers, added), [callKey]: call }
    context.forwardedAt = performance.now()
    return reply.from('/', {
      queryString: () => '',
      rewriteRequestHeaders: () => headers,
      rewriteHeaders: (answered) => {
        context.answeredAt = performance.now()
        return toResponseHeaders(answered)
      },
      // After the caller has disconnected there is nobody to answer.
      onError: (_reply, { error }) =>
        void (signal.aborted ? reply.hijack() : reply.send(faultOf(error, request.method))),
    })
  }
}

const faultOf = (error: unknown, method: string): Fault => upstreamFault(error, !isRead(method))

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** reply-from copies the header object with everything in it: the call rides along, and undici does not see it. */
const callKey = Symbol('call')
type Call = {
  readonly path: string
  readonly body: Body
  readonly principal: Principal
  readonly callerSignal: AbortSignal
  readonly onStranded: () => void
}
type CallHeaders = IncomingHttpHeaders & { readonly [callKey]: Call }
type Options<T> = Dispatcher.RequestOptions<T>
type Answer<T> = Dispatcher.ResponseData<T>
type Done<T> = (error: Error | null, answer: Answer<T>) => void

/** undici's `request` for reply-from, which calls it with a callback. */
function requestOver(agent: Agent, pool: AddressPool, signed: SignPrincipal): Dispatcher['request'] {
  function request<T = null>(options: Options<T>): Promise<Answer<T>>
  function request<T = null>(options: Options<T>, done: Done<T>): void
  function request<T>(options: Options<T>, done?: Done<T>): Promise<Answer<T>> | undefined {
    const answering = send(agent, pool, signed, options)
    if (done === undefined) return answering
    answering.then(
      (answer) => done(null, answer),
      // Beside an error nobody reads the answer.
      (error: Error) => done(error, undefined as never),
    )
    return undefined
  }
  return request
}

function send<T>(agent: Agent, pool: AddressPool, signed: SignPrincipal, options: Options<T>): Promise<Answer<T>> {
  const { method } = options
  const callHeaders = headersOf(options)
  const { path, body, principal, ...kind } = callHeaders[callKey]
  return withFailOver(pool, { isRead: isRead(method), ...kind }, ({ origin, host }, signal) => {
    const headers = { ...callHeaders, ...signed(principal, method, path), host }
    return agent.request<T>({ ...options, origin, path, headers, body: lazyBody(body), signal })
  })
}

/** Its one caller is reply-from, which passes on a copy of the headers that were made above. */
const headersOf = ({ headers }: Options<unknown>): CallHeaders => headers as CallHeaders
