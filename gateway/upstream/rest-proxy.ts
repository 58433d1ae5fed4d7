// Permitted calls of Fastify's routes that have one answer, sent to the service and answered by reply-from over a
// dispatcher of ours. What reply-from would do of its own is not used: path, head and body travel in a ServiceCall beside
// the headers, which finds an address that takes the call, ends it when the caller goes, and writes the answer
// (gateway/upstream/service-call.ts).
import type { IncomingHttpHeaders } from 'node:http'
import replyFrom, { type FastifyReplyFromHooks } from '@fastify/reply-from'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Dispatcher } from 'undici'
import { answer, outgoingCall, type Forwarding } from './outgoing-call.ts'
import type { ServiceCall, Upstream } from './service-call.ts'
import type { Admitted } from './signed-principal.ts'
import { upstreamFault } from './upstream-errors.ts'

/** Answers the caller. */
export type ForwardRest = (reply: FastifyReply, admitted: Admitted, forwarding: Forwarding) => void
type Sent = Pick<Forwarding, 'context' | 'ownHeaders' | 'refuse' | 'charge'> & { readonly call: ServiceCall }

declare module 'fastify' {
  interface FastifyRequest {
    /** What is being forwarded for this request. */
    sent: Sent | null
  }
}

export async function openRestProxy(
  app: FastifyInstance,
  upstream: Upstream,
  isStopping: () => boolean,
): Promise<ForwardRest> {
  app.decorateRequest('sent', null)
  await app.register(replyFrom, {
    base: 'http://service',
    undici: { request: sendCall },
    retryMethods: [],
    disableRequestLogging: true,
  })
  const options = replyFromOptions(isStopping)
  return (reply, admitted, forwarding) => {
    const { request, raw } = reply
    const { context, ownHeaders, refuse, charge } = forwarding
    const call = outgoingCall(upstream, request.raw, raw, admitted, forwarding)
    request.sent = { call, context, ownHeaders, refuse, charge }
    reply.from('/', options)
  }
}

/** The same for all calls. */
const replyFromOptions = (isStopping: () => boolean): FastifyReplyFromHooks => ({
  queryString: () => '',
  rewriteRequestHeaders: ({ sent }) => ({ [callKey]: sent?.call }) as IncomingHttpHeaders,
  onResponse: (request, reply) => {
    const { sent } = request
    if (sent === null || reply.sent) return sent?.call.destroy()
    reply.hijack()
    answer(sent.call, request.raw, sent, isStopping())
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
