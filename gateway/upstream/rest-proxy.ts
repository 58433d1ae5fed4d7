// Permitted calls that have one answer, sent to the service and answered by reply-from over a dispatcher of ours. What reply-from would do
// of its own is not used: path, head and body travel in a ServiceCall beside the headers, which finds an address that takes
// the call, ends it when the caller goes, and writes the answer (gateway/upstream/service-call.ts).
import type { IncomingHttpHeaders } from 'node:http'
import replyFrom, { type FastifyReplyFromHooks } from '@fastify/reply-from'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import type { Fault } from '#contract/fault.ts'
import { pathOf } from '../request/target.ts'
import type { RequestContext } from '../request/request-context.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import type { Body } from '../overload/forward-body.ts'
import type { AddressPool } from './address-pool.ts'
import { headOf, ServiceCall, type OwnHeaders } from './service-call.ts'
import type { Admitted, SignPrincipal } from './signed-principal.ts'
import { addCallerHeaders } from './proxy-headers.ts'
import { upstreamFault } from './upstream-errors.ts'

export type Timeouts = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number }
export const upstreamTimeouts: Timeouts = { connectMs: 1_000, headersMs: 30_000, bodyMs: 60_000 }

type Forwarding = {
  readonly context: RequestContext
  readonly body: Body
  readonly ownHeaders: OwnHeaders
  onStranded(): void
  /** Called where there is no answer, unless the caller has gone. */
  refuse(fault: Fault): void
}
/** Answers the caller. */
export type ForwardRest = (reply: FastifyReply, admitted: Admitted, forwarding: Forwarding) => void
type Parts = {
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly timeouts: Timeouts
  isStopping(): boolean
}
type Sent = Pick<Forwarding, 'context' | 'ownHeaders' | 'refuse'> & { readonly call: ServiceCall }

declare module 'fastify' {
  interface FastifyRequest {
    /** What is being forwarded for this request. */
    sent: Sent | null
  }
}

export async function openRestProxy(app: FastifyInstance, parts: Parts): Promise<ForwardRest> {
  const { pool, signed, timeouts } = parts
  const agent = new Agent({
    connections: slotsMax,
    connect: { timeout: timeouts.connectMs, rejectUnauthorized: true },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  })
  app.addHook('onClose', () => agent.destroy())
  app.decorateRequest('sent', null)
  await app.register(replyFrom, {
    base: 'http://service',
    undici: { request: sendCall },
    retryMethods: [],
    disableRequestLogging: true,
  })
  const options = replyFromOptions(parts)
  const upstream = { agent, pool, signed }

  return (reply, { principal, query }, { context, body, ownHeaders, onStranded, refuse }) => {
    const { request, raw: response } = reply
    const { rawHeaders, headers } = request.raw
    const path = query === '' ? pathOf(request.url) : `${pathOf(request.url)}?${query}`
    const head = headOf(context.requestId)
    const length = body instanceof Buffer ? String(body.length) : headers['content-length']
    if (body !== null && length !== undefined) head.push('content-length', length)
    addCallerHeaders(head, rawHeaders, headers.connection)
    const { method } = request
    const call = new ServiceCall(upstream, { method, path, body, principal, head, context, response, onStranded })
    request.sent = { call, context, ownHeaders, refuse }
    context.forwardedAt = performance.now()
    reply.from('/', options)
  }
}

/** The same for all calls. */
const replyFromOptions = ({ isStopping }: Parts): FastifyReplyFromHooks => ({
  queryString: () => '',
  rewriteRequestHeaders: ({ sent }) => ({ [callKey]: sent?.call }) as IncomingHttpHeaders,
  onResponse: (request, reply) => {
    const { sent } = request
    if (sent === null || reply.sent) return sent?.call.destroy()
    sent.context.answeredAt = performance.now()
    // Of a request that has not come to its end the rest is not waited for.
    const ends = isStopping() || !request.raw.complete
    const { list, names } = sent.ownHeaders
    reply.hijack()
    sent.call.answer({ list: ends ? [...list, 'connection', 'close'] : list, names })
  },
  // After the caller has disconnected there is nobody to answer.
  onError: (reply, { error }) => {
    const { sent, method } = reply.request
    const isRead = method === 'GET' || method === 'HEAD'
    if (sent === null || sent.context.isAborted) reply.hijack()
    else sent.refuse(upstreamFault(error, !isRead))
  },
})

/** reply-from copies the header object with everything in it: the call rides along. */
const callKey = Symbol('call')
type CallHeaders = { readonly [callKey]: ServiceCall }

/** undici's `request`, which reply-from calls with a callback. The answer has no stream: `answer` is called for it. */
const sendCall = ((options: { readonly headers: CallHeaders }, done: (error: unknown, answer: object) => void) => {
  const call = options.headers[callKey]
  call.send((error, statusCode) => done(error, { statusCode, headers: {}, body: call }))
}) as unknown as Dispatcher['request']
