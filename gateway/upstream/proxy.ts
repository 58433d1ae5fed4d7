// The one way of a permitted call to the service. What goes out is the same for all calls: path, body and head, with
// the head as a list of name, value, name, value… from the caller's socket to the service's, and back. Three carriers
// take it, each where it is best (docs/decisions/0013-one-proxy-three-carriers.md):
//
// - `forward` for the API and for what MCP answers at once: straight to the service, with nothing in between
//   (gateway/upstream/service-call.ts);
// - `forwardReply` for the settings: the same call, sent by reply-from, which knows Fastify's replies;
// - `forwardStream` for answers that last: http-proxy-3 (gateway/upstream/event-streams.ts).
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import replyFrom, { type FastifyReplyFromHooks } from '@fastify/reply-from'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import { browserHeader } from '#contract/internal/gateway-endpoints.ts'
import type { Fault } from '#contract/faults/fault.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import type { Body } from '../overload/request-bodies.ts'
import type { RequestContext } from '../request/request-context.ts'
import { pathOf } from '../request/request-head.ts'
import type { AddressPool } from './address-pool.ts'
import { openEventStreams } from './event-streams.ts'
import { addCallerHeaders } from './headers.ts'
import { headOf, isRead, ServiceCall, type Upstream } from './service-call.ts'
import type { Trust } from './service-client.ts'
import type { Admitted, SignPrincipal } from './signed-principal.ts'
import { upstreamFault } from './upstream-errors.ts'
import type { GatewayHeaders } from '../responses/gateway-headers.ts'

type Forwarding = {
  readonly context: RequestContext
  readonly body: Body
  readonly gatewayHeaders: GatewayHeaders
  /** The cookie of a browser that is known to a service; null: none. */
  readonly browser?: string | null
  /**
   * Takes what the call has cost the database, and returns the head's part with what is left; null where it is the
   * same.
   */
  readonly charge?: ((databaseMs: number) => GatewayHeaders | null) | undefined
  /** How long the head of the answer may take to come. Left out: as long as that of any call. */
  readonly headersMs?: number
  /** Called when a write waits for a dead address: its slot must not wait with it. */
  onStranded(): void
  /** Called where there is no answer, unless the caller has gone. */
  refuse(fault: Fault): void
}
/** `ending` is aborted when the answer has to end, however much of it there is. */
type StreamForwarding = Omit<Forwarding, 'browser' | 'charge'> & { readonly ending?: AbortSignal | undefined }

/** Each answers the caller, with the service's answer or by `refuse`. */
export type Proxy = {
  /** Makes Fastify ready for `forwardReply`. */
  register(app: FastifyInstance): Promise<void>
  forward(request: IncomingMessage, response: ServerResponse, admitted: Admitted, forwarding: Forwarding): void
  forwardReply(reply: FastifyReply, admitted: Admitted, forwarding: Forwarding): void
  forwardStream(
    request: IncomingMessage,
    response: ServerResponse,
    admitted: Admitted,
    forwarding: StreamForwarding,
  ): void
  close(): Promise<void>
}
export type ProxyDeps = {
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly trust: Trust
  readonly timeouts: Timeouts
  /** From then on each answer ends its connection. */
  isStopping(): boolean
}

export type Timeouts = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number }
export const upstreamTimeouts: Timeouts = { connectMs: 1_000, headersMs: 30_000, bodyMs: 30_000 }

export function openProxy({ pool, signed, trust, timeouts, isStopping }: ProxyDeps): Proxy {
  const { connectMs, headersMs, bodyMs } = timeouts
  const agent = new Agent({
    connections: slotsMax,
    connect: { timeout: connectMs, ...trust },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
  })
  const upstream = { agent, pool, signed }
  const streams = openEventStreams({ pool, signed, trust, connectMs, silentMs: bodyMs, isStopping })
  const replyOptions = replyFromOptions(isStopping)
  return {
    register: registerReplyFrom,
    forward: (request, response, admitted, forwarding) => {
      const { context, refuse } = forwarding
      const call = serviceCall(upstream, request, response, admitted, forwarding)
      call.send((error) => {
        // After the caller has disconnected there is no one to answer.
        if (context.isAborted) return call.destroy()
        if (error === null) return answer(call, request, forwarding, isStopping())
        refuse(upstreamFault(error, !isRead(request.method)))
      })
    },
    forwardReply: (reply, admitted, forwarding) => {
      const { request, raw } = reply
      request.forwarded = { call: serviceCall(upstream, request.raw, raw, admitted, forwarding), forwarding }
      reply.from('/', replyOptions)
    },
    forwardStream: (request, response, admitted, forwarding) => {
      const [path, head] = [pathFor(request, admitted), headFor(request, admitted, forwarding)]
      streams.forward(request, response, { ...forwarding, principal: admitted.principal, path, head })
    },
    close: async () => {
      streams.close()
      await agent.destroy()
    },
  }
}

function serviceCall(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  admitted: Admitted,
  forwarding: Forwarding,
): ServiceCall {
  const { context, body, onStranded, headersMs } = forwarding
  const { method = '' } = request
  const { principal } = admitted
  const path = pathFor(request, admitted)
  const head = headFor(request, admitted, forwarding)
  context.forwardedAt = performance.now()
  return new ServiceCall(upstream, { method, path, body, principal, head, context, response, onStranded, headersMs })
}

const pathFor = ({ url = '' }: IncomingMessage, { query }: Admitted): string =>
  query === '' ? pathOf(url) : `${pathOf(url)}?${query}`

/** The head as the service gets it. What each attempt fills in comes first. */
function headFor(
  { rawHeaders, headers }: IncomingMessage,
  { told }: Admitted,
  { context, body, browser = null }: Pick<Forwarding, 'context' | 'body' | 'browser'>,
): string[] {
  const head = headOf(context.requestId)
  const length = body instanceof Buffer ? String(body.length) : headers['content-length']
  if (body !== null && length !== undefined) head.push('content-length', length)
  for (const name in told) head.push(name, told[name] ?? '')
  addCallerHeaders(head, rawHeaders, { connection: headers.connection, hasContent: body !== null })
  if (context.tracestate !== null) head.push('tracestate', context.tracestate)
  if (browser !== null) head.push(browserHeader, browser)
  return head
}

/** Once the head of the service's answer is there. */
function answer(
  call: ServiceCall,
  { complete }: Pick<IncomingMessage, 'complete'>,
  { context, gatewayHeaders, charge }: Forwarding,
  isStopping: boolean,
): void {
  const { list, ...more } = charge?.(call.databaseMs()) ?? gatewayHeaders
  context.answeredAt = performance.now()
  context.outcome = call.outcome()
  // Of a request that has not come to its end the rest is not waited for.
  const ends = isStopping || !complete
  call.answer({ list: ends ? [...list, 'connection', 'close'] : list, ...more })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What reply-from carries for this request. */
    forwarded: { readonly call: ServiceCall; readonly forwarding: Forwarding } | null
  }
}

async function registerReplyFrom(app: FastifyInstance): Promise<void> {
  app.decorateRequest('forwarded', null)
  await app.register(replyFrom, {
    base: 'http://service',
    undici: { request: sendForwarded },
    retryMethods: [],
    disableRequestLogging: true,
  })
}

/**
 * The same for all replies. Path, head and body are those of the call, which also finds an address that takes it, ends
 * it when the caller goes, and writes the answer.
 */
const replyFromOptions = (isStopping: () => boolean): FastifyReplyFromHooks => ({
  queryString: () => '',
  rewriteRequestHeaders: ({ forwarded }) => ({ [callKey]: forwarded?.call }) as IncomingHttpHeaders,
  onResponse: (request, reply) => {
    const { forwarded } = request
    if (forwarded === null || reply.sent) return forwarded?.call.destroy()
    reply.hijack()
    answer(forwarded.call, request.raw, forwarded.forwarding, isStopping())
  },
  // After the caller has disconnected there is no one to answer.
  onError: (reply, { error }) => {
    const { forwarded, method } = reply.request
    if (forwarded === null || forwarded.forwarding.context.isAborted) reply.hijack()
    else forwarded.forwarding.refuse(upstreamFault(error, !isRead(method)))
  },
})

/** reply-from copies the header object with everything in it: the call rides along. */
const callKey = Symbol('call')
type CallHeaders = { readonly [callKey]: ServiceCall }

/** Stands for undici's `request`. The answer has no stream: `answer` is called for it. */
const sendForwarded = ((options: { readonly headers: CallHeaders }, done: (error: unknown, answer: object) => void) => {
  const call = options.headers[callKey]
  call.send((error, statusCode) => done(error, { statusCode, headers: {}, body: call }))
}) as unknown as Dispatcher['request']
