// Permitted REST calls, streamed to the service and back by reply-from. Its own way of finding the destination is not
// used: address, path and the caller's leave-taking travel beside the headers to a dispatcher of ours, which ends the
// call to the service when the caller goes, tries the next address where one takes no connection, and never repeats
// what may have been sent.
import type { IncomingHttpHeaders } from 'node:http'
import replyFrom from '@fastify/reply-from'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import type { Principal } from '#contract/principal.ts'
import type { Admitted } from './admission.ts'
import { towardsService, type Headers } from './headers.ts'
import { pathOf } from './policies/target.ts'
import type { Trace } from './trace.ts'
import type { SignPrincipal } from './upstream/principal-header.ts'
import { isNotConnected, upstreamFault } from './upstream-error.ts'
import { lazily, type Body } from './upstream/lazy-body.ts'
import { slotsMax } from './upstream/slots.ts'
import type { Upstreams } from './upstreams.ts'

export type Timeouts = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number }
type Passing = {
  readonly body: Body
  /** The headers that the caller gets for those of the service. */
  onAnswer(headers: IncomingHttpHeaders): Headers
}
export type Forward = (reply: FastifyReply, admitted: Admitted, trace: Trace, passing: Passing) => FastifyReply

/** reply-from copies the header object with everything in it: this rides along, and undici does not see it. */
const passage = Symbol('passage')
type Passage = {
  readonly path: string
  readonly body: Body
  readonly signal: AbortSignal
  readonly principal: Principal
}
type Options = Omit<Dispatcher.RequestOptions, 'origin' | 'headers'> & {
  readonly headers: Headers & { readonly [passage]: Passage }
}
type Done = (error: Error | null, answer?: Dispatcher.ResponseData) => void

export async function openForward(
  app: FastifyInstance,
  upstreams: Upstreams,
  signed: SignPrincipal,
  timeouts: Timeouts,
): Promise<Forward> {
  const agent = new Agent({
    connections: slotsMax,
    connect: { timeout: timeouts.connectMs, rejectUnauthorized: true },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  })
  app.addHook('onClose', () => agent.destroy())
  await app.register(replyFrom, {
    base: 'http://service',
    undici: dispatcherOf(agent, upstreams, signed),
    retryMethods: [],
    disableRequestLogging: true,
  })

  return (reply, { principal, query }, trace, { body, onAnswer }) => {
    const { request } = reply
    const path = query === '' ? pathOf(request.url) : `${pathOf(request.url)}?${query}`
    const added: Headers = { 'x-request-id': trace.requestId }
    const length = body instanceof Buffer ? String(body.length) : request.headers['content-length']
    if (body !== null && length !== undefined) added['content-length'] = length
    const along: Passage = { path, body, signal: trace.left, principal }
    const headers = { ...towardsService(request.headers, added), [passage]: along }
    return reply.from('/', {
      queryString: () => '',
      rewriteRequestHeaders: () => headers,
      rewriteHeaders: onAnswer,
      // Nobody is there any more to be told that the call has ended.
      onError: (_reply, { error }) => void (trace.left.aborted ? reply.hijack() : reply.send(upstreamFault(error))),
    })
  }
}

/** reply-from asks for no more than this one method, though its type names undici's overloads. */
const dispatcherOf = (
  agent: Agent,
  upstreams: Upstreams,
  signed: SignPrincipal,
): { request: Dispatcher['request'] } => ({
  request: ((options: Options, done: Done) =>
    send(agent, upstreams, signed, options, done, upstreams.count)) as unknown as Dispatcher['request'],
})

function send(
  agent: Agent,
  upstreams: Upstreams,
  signed: SignPrincipal,
  options: Options,
  done: Done,
  tries: number,
): void {
  const { path, body, signal, principal } = options.headers[passage]
  const origin = upstreams.next()
  const headers = { ...options.headers, ...signed(principal, options.method, path) }
  agent.request({ ...options, origin, path, signal, headers, body: lazily(body) }, (error, answer) => {
    if (error === null) return done(null, answer)
    if (!isNotConnected(error)) return done(error)
    upstreams.leaveOut(origin)
    if (tries > 1) return send(agent, upstreams, signed, options, done, tries - 1)
    return done(error)
  })
}
