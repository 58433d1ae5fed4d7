// POST /api/mcp: the body is read once and checked, and the very bytes that were checked go on to the service: as a REST
// call does where there is one answer, and by a proxy of its own where events may come before it. Every refusal is a
// JSON-RPC error.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/fault.ts'
import { mcpBodyBytesMax } from '#contract/size-limits.ts'
import { mcpPath } from '#contract/route-paths.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Log } from '#runtime/log.ts'
import { admitMcpRequest, admitToMcp, admitKeyToMcp, type Policies } from '../admission.ts'
import { lastUseOf } from '../policies/key.ts'
import { checkMcpBody, type McpRequest } from '../policies/mcp-body.ts'
import { chargeDatabase } from '../rate-limit/consume.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'
import { incomingCall, type RequestContext } from '../request/request-context.ts'
import { rpcIdIn, readBody, discardRest } from '../request/body.ts'
import { sendRpcError, faultOf } from '../responses/problem-details.ts'
import { policyHeader, rateLimitHeader, commonHeaders } from '../responses/gateway-headers.ts'
import { varyByOrigin, corsHeaders, preflightHeaders } from '../responses/cors.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Proxy } from '../upstream/proxy.ts'
import type { OriginPolicy } from '../policies/origin.ts'
import type { RequestLog } from '../request/request-log.ts'

/** A larger body is not read only to echo the id of a call that is refused anyway. */
const idSearchBytesMax = 16 * 1024
const noBody = Buffer.alloc(0)

export type McpDeps = {
  readonly proxy: Pick<Proxy, 'forward' | 'forwardStream'>
  readonly brand: string
  readonly log: Log
}

export function serveMcp(app: FastifyInstance, deps: GatewayDeps, parts: McpDeps): void {
  const { proxy, brand, log } = parts
  const { policies, requestLog, overload } = deps
  const { origins } = policies

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const context = beginMcp(request, reply, origins, requestLog)
    const call = incomingCall(request.raw, context)
    // On the raw answer: the proxy writes to that, and knows nothing of Fastify's headers.
    const showPolicy = () => {
      reply.raw.setHeader('ratelimit-policy', policyHeader(context, policies.rateLimiter.rates))
      if (context.keyWarnings !== null) reply.raw.setHeaders(new Map(Object.entries(context.keyWarnings)))
    }
    let body: Buffer | null | undefined
    try {
      origins.check(request.headers)
      const since = policies.keys.changeNumber()
      overload.enterCall(context)
      const key = await admitToMcp(call, policies)
      body = await readBody(request.raw, mcpBodyBytesMax, overload.countBytes(key.id, context))
      const asked = { request: checkMcpBody(body), body }
      const admitted = await admitMcpRequest(call, key, asked, policies)
      const endsAt = () => (policies.keys.isUnchanged(key, since) ? lastUseOf(key, context.workspaceId) : 0)
      const lasting = await admitToService(admitted.principal, asked.request, context, endsAt)
      showPolicy()
      if (context.quota !== null) reply.raw.setHeader('ratelimit', rateLimitHeader(context.quota))
      const bytes = body ?? noBody
      const { onStranded = () => {}, ending } = lasting
      const forwarding = {
        context,
        body: bytes,
        gatewayHeaders: { list: [...always, 'x-request-id', context.requestId], names: owned },
        onStranded,
        refuse: (fault: Fault) =>
          void sendRpcError(reply, faultOf(fault, context.requestId, log), rpcIdIn(bytes), context, brand),
      }
      if (asked.request.fault === null && asked.request.maySendEvents)
        return proxy.forwardStream(request.raw, reply.raw, admitted, { ...forwarding, ending })
      const charge = (ms: number) => chargeAfter(ms, reply, context, policies.rateLimiter)
      return proxy.forward(request.raw, reply.raw, admitted, { ...forwarding, charge })
    } catch (thrown) {
      policies.deniedCalls.record(thrown, { call, surface: 'mcp', operation: null })
      if (context.isAborted) return reply.hijack()
      showPolicy()
      const fault = faultOf(thrown, context.requestId, log)
      if (isOfPage(fault.code)) return sendRpcError(reply, fault, undefined, context, brand)
      const bytes = body === undefined ? await smallBody(request, fault) : (body ?? noBody)
      return sendRpcError(reply, fault, rpcIdIn(bytes), context, brand)
    }
  }
  async function admitToService(
    principal: Principal,
    asked: McpRequest,
    context: RequestContext,
    endsAt: () => number,
  ) {
    return asked.fault === null && asked.opensStream
      ? { ending: await overload.streams.open(principal, context, endsAt) }
      : { onStranded: await overload.takeSlot(principal, context) }
  }
  // It returns nothing: for a promise, Fastify would watch the answer's stream. `handle` answers all that is thrown.
  app.route({ method: 'POST', url: mcpPath, handler: (request, reply) => void handle(request, reply) })
  serveOtherMethods(app, { policies, requestLog, brand, log })
}

/** The limits are on the raw answer: the head is the same. */
function chargeAfter(ms: number, { raw }: FastifyReply, context: RequestContext, rateLimiter: RateLimiter): null {
  if (chargeDatabase(ms, context, rateLimiter) && context.quota !== null)
    raw.setHeader('ratelimit', rateLimitHeader(context.quota))
  return null
}

const always = Object.entries({ ...commonHeaders, vary: varyByOrigin }).flat()
/** What the service's headers do not replace. It says itself what else its answer depends on. */
const owned: ReadonlySet<string> = new Set([...Object.keys(commonHeaders), 'x-request-id'])

/** A page that may not call is told nothing of its call. */
const isOfPage = (code: string): boolean => code === 'origin_not_allowed' || code === 'host_not_allowed'

/** Returns an empty buffer when the body is no JSON, is too long, or cannot be read to its end. */
async function smallBody({ raw, headers }: FastifyRequest, { code }: Fault): Promise<Buffer> {
  const length = Number(headers['content-length'] ?? 0)
  if (length > idSearchBytesMax || code === 'unsupported_media_type') return noBody
  return (await readBody(raw, idSearchBytesMax).catch(() => null)) ?? noBody
}

// /api/mcp by any other method than POST: OPTIONS, by which a browser asks whether its page may call, without a key and
// without a token of any limit; and those that there are not. Of these a wrong key is told first: bridges that try GET
// take a 405 for an older server, and would look for another way in.

/** Of those that call; OPTIONS only asks. */
const allowed = ['POST']
const refused = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE']

type OtherMethodsDeps = {
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly brand: string
  readonly log: Log
}

type Answer = (request: FastifyRequest, reply: FastifyReply, context: RequestContext) => FastifyReply | Promise<never>

export function serveOtherMethods(app: FastifyInstance, { policies, requestLog, brand, log }: OtherMethodsDeps): void {
  const { origins } = policies
  const serve = (method: string | string[], answer: Answer) =>
    app.route({
      method,
      url: mcpPath,
      handler: async (request, reply) => {
        const context = beginMcp(request, reply, origins, requestLog)
        try {
          origins.check(request.headers)
          return await answer(request, reply, context)
        } catch (thrown) {
          return sendRpcError(reply, faultOf(thrown, context.requestId, log), undefined, context, brand)
        }
      },
    })
  serve('OPTIONS', answerPreflight)
  serve(refused, async (request, _reply, context) => {
    const call = incomingCall(request.raw, context)
    await admitKeyToMcp(call, policies).catch((thrown: unknown) => {
      policies.deniedCalls.record(thrown, { call, surface: 'mcp', operation: null })
      throw thrown
    })
    throw new Fault('method_not_allowed', 'This address takes POST: there are no sessions, and no streams to open.', {
      allowed,
    })
  })
}

/** What a page may read of the answer, whatever that will be, stands on it from the start. */
export function beginMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: OriginPolicy,
  requestLog: RequestLog,
): RequestContext {
  const { origin } = request.headers
  const isShown = origin !== undefined && origins.isAllowed(origin)
  // On the raw answer: the proxy writes to that, and knows nothing of Fastify's headers.
  reply.raw.setHeaders(new Map(Object.entries({ vary: varyByOrigin, ...(isShown && corsHeaders(origin)) })))
  return requestLog.begin(request.raw, reply.raw, request.id, mcpPath)
}

function answerPreflight({ raw, headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  discardRest(raw)
  const { origin } = headers
  if (origin !== undefined) reply.headers(preflightHeaders(origin, headers['access-control-request-headers']))
  return reply.code(204).header('allow', allowed.join(', ')).send()
}
