// Permitted REST calls, streamed to the service and back by reply-from. Its own way of finding the destination is not
// used: path, body and the caller's leave-taking travel beside the headers to a dispatcher of ours, which ends the call
// to the service when the caller goes, and finds an address that takes it (gateway/upstream/fail-over.ts).
import type { IncomingHttpHeaders } from 'node:http'
import replyFrom from '@fastify/reply-from'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import type { Fault } from '#contract/fault.ts'
import type { Principal } from '#contract/principal.ts'
import type { Admitted } from '../admission.ts'
import { towardsService, type Headers } from './proxy-headers.ts'
import { pathOf } from '../request/target.ts'
import type { Trace } from '../request/request-log.ts'
import { withFailOver } from './fail-over.ts'
import { lazily, type Body } from './lazy-body.ts'
import type { Pool } from './address-pool.ts'
import type { SignPrincipal } from './principal-header.ts'
import { slotsMax } from './concurrent-calls-limit.ts'
import { upstreamFault } from './upstream-errors.ts'

export type Timeouts = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number }
type Passing = {
  readonly body: Body
  /** The headers that the caller gets for those of the service. */
  onAnswer(headers: IncomingHttpHeaders): Headers
  onStranded(): void
}
export type Forward = (reply: FastifyReply, admitted: Admitted, trace: Trace, passing: Passing) => FastifyReply

/** reply-from copies the header object with everything in it: this rides along, and undici does not see it. */
const passage = Symbol('passage')
type Passage = {
  readonly path: string
  readonly body: Body
  readonly principal: Principal
  readonly left: AbortSignal
  readonly onStranded: () => void
}
type Options = Omit<Dispatcher.RequestOptions, 'origin' | 'headers'> & {
  readonly headers: Headers & { readonly [passage]: Passage }
}
type Done = (error: Error | null, answer?: Dispatcher.ResponseData) => void

export async function openForward(
  app: FastifyInstance,
  pool: Pool,
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
    undici: dispatcherOf(agent, pool, signed),
    retryMethods: [],
    disableRequestLogging: true,
  })

  return (reply, { principal, query }, trace, { body, onAnswer, onStranded }) => {
    const { request } = reply
    const path = query === '' ? pathOf(request.url) : `${pathOf(request.url)}?${query}`
    const added: Headers = { 'x-request-id': trace.requestId }
    const length = body instanceof Buffer ? String(body.length) : request.headers['content-length']
    if (body !== null && length !== undefined) added['content-length'] = length
    const along: Passage = { path, body, principal, left: trace.left, onStranded }
    const headers = { ...towardsService(request.headers, added), [passage]: along }
    return reply.from('/', {
      queryString: () => '',
      rewriteRequestHeaders: () => headers,
      rewriteHeaders: onAnswer,
      // Nobody is there any more to be told that the call has ended.
      onError: (_reply, { error }) =>
        void (trace.left.aborted ? reply.hijack() : reply.send(faultOf(error, request.method))),
    })
  }
}

const faultOf = (error: unknown, method: string): Fault => upstreamFault(error, !isRead(method))

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** reply-from asks for no more than this one method, though its type names undici's overloads. */
const dispatcherOf = (agent: Agent, pool: Pool, signed: SignPrincipal): { request: Dispatcher['request'] } => ({
  request: ((options: Options, done: Done) =>
    void send(agent, pool, signed, options).then(
      (answer) => done(null, answer),
      (error: Error) => done(error),
    )) as unknown as Dispatcher['request'],
})

function send(agent: Agent, pool: Pool, signed: SignPrincipal, options: Options): Promise<Dispatcher.ResponseData> {
  const { method } = options
  const { path, body, principal, ...kind } = options.headers[passage]
  return withFailOver(pool, { isRead: isRead(method), ...kind }, ({ origin, host }, signal) => {
    const headers = { ...options.headers, ...signed(principal, method, path), host }
    return agent.request({ ...options, origin, path, headers, body: lazily(body), signal })
  })
}
