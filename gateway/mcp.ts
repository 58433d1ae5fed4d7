// POST /api/mcp: the body is read once and checked, and the very bytes that were checked go on to the service: as a REST
// call does where there is one answer, and by a proxy of its own where events may come before it. Every refusal is a
// JSON-RPC error.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { mcpPath } from '#contract/route-paths.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Log } from '#runtime/log.ts'
import { admitMcpRequest, admitToMcp } from './auth/admission.ts'
import { beginMcp, serveOtherMethods } from './mcp-methods.ts'
import { lastUseOf } from './keys/key.ts'
import { checkMcpBody, type McpRequest } from './auth/mcp-request.ts'
import { chargeDatabase, type RateLimiter } from './rate-limit/limiter.ts'
import { incomingCall } from './request/incoming-call.ts'
import { rpcIdIn } from './request/json-rpc.ts'
import type { RequestContext } from './request/request-context.ts'
import { readBody } from './request/read-body.ts'
import { sendRpcError } from './responses/json-rpc-error.ts'
import { faultOf } from './responses/problem-details.ts'
import { policyHeader, rateLimitHeader } from './responses/rate-limit-headers.ts'
import { varyByOrigin } from './responses/cors-headers.ts'
import { commonHeaders } from './responses/response-headers.ts'
import type { Serving } from './serving.ts'
import type { ForwardEvents } from './upstream/event-proxy.ts'
import type { ForwardRest } from './upstream/rest-proxy.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'

/** A larger body is not read only to echo the id of a call that is refused anyway. */
const idSearchBytesMax = 16 * 1024
const noBody = Buffer.alloc(0)

export type McpParts = {
  /** For one answer, and for events. */
  readonly forward: ForwardRest
  readonly forwardEvents: ForwardEvents
  readonly brand: string
  readonly log: Log
}

export function serveMcp(app: FastifyInstance, serving: Serving, parts: McpParts): void {
  const { forward, forwardEvents, brand, log } = parts
  const { policies, requestLog, overload } = serving
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
      if (asked.request.fault === null && asked.request.maySendEvents)
        return await forwardEvents(reply, body ?? noBody, admitted, context, lasting)
      const refuse = (fault: Fault) => void sendRpcError(reply, fault, rpcIdIn(body ?? noBody), context, brand)
      const ownHeaders = { list: [...always, 'x-request-id', context.requestId], names: owned }
      const { onStranded = () => {} } = lasting
      const charge = (ms: number) => chargeAfter(ms, reply, context, policies.rateLimiter)
      return forward(reply, admitted, { context, body: body ?? noBody, ownHeaders, onStranded, refuse, charge })
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
