// MCP, `/api/mcp`. The body of a POST is read once and checked, and the very bytes that were checked go on to the
// service. Every refusal is a JSON-RPC error.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { mcpPath } from '#contract/route-paths.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { admitKeyToMcp, admitMcpRequest, admitToMcp } from '../auth/admission.ts'
import { lastUseOf } from '../keys/key.ts'
import { checkMcpBody, type McpRequest } from '../auth/mcp-request.ts'
import { chargeDatabase } from '../rate-limit/limiter.ts'
import { discardRest, readBody, rpcIdIn } from '../request/body.ts'
import { incomingCall, type RequestContext } from '../request/request-context.ts'
import { corsHeaders, preflightHeaders, varyByOrigin } from '../responses/cors.ts'
import { commonHeaders, headersOfCall, policyHeader, type GatewayHeaders } from '../responses/gateway-headers.ts'
import { faultOf, sendRpcError } from '../responses/problem-details.ts'
import type { Admitted } from '../upstream/signed-principal.ts'
import type { GatewayDeps } from './gateway-deps.ts'

/** A larger body is not read only to echo the id of a call that is refused anyway. */
const idSearchBytesMax = 16 * 1024
const noBody = Buffer.alloc(0)

/** The service says itself what else its answer depends on. */
const always: GatewayHeaders = {
  list: Object.entries({ ...commonHeaders, vary: varyByOrigin }).flat(),
  names: new Set([...Object.keys(commonHeaders), 'x-request-id', 'ratelimit-policy', 'ratelimit']),
}

export function serveMcp(app: FastifyInstance, deps: GatewayDeps): void {
  app.route({
    method: 'POST',
    url: mcpPath,
    // It returns nothing: for a promise, Fastify would watch the answer's stream. `serveCall` answers all that is
    // thrown.
    handler: (request, reply) => {
      void serveCall(request, reply, deps)
    },
  })
  serveOtherMethods(app, deps)
}

async function serveCall(request: FastifyRequest, reply: FastifyReply, deps: GatewayDeps): Promise<void> {
  const { policies, overload, requestLog, brand, log } = deps
  const context = beginMcp(request, reply, deps)
  const call = incomingCall(request.raw, context)
  let body: Buffer | null | undefined
  try {
    policies.origins.check(request.headers)
    const since = policies.keys.changeNumber()
    overload.enterCall(context)
    const key = await admitToMcp(call, policies)
    body = await readBody(request.raw, mcpBodyBytesMax, overload.countBytes(key.id, context))
    const asked = checkMcpBody(body)
    if (asked.fault === null && asked.trace !== null) requestLog.joinTrace(context, ...asked.trace)
    const admitted = await admitMcpRequest(call, key, { request: asked, body }, policies)
    const endsAt = () => (policies.keys.isUnchanged(key, since) ? lastUseOf(key, context.workspaceId) : 0)
    const place = await placeFor(asked, admitted.principal, context, endsAt, deps)
    forward(request, reply, { admitted, asked, context, body: body ?? noBody, ...place }, deps)
  } catch (thrown) {
    policies.deniedCalls.record(thrown, { call, surface: 'mcp', operation: null })
    if (context.isAborted) {
      reply.hijack()
      return
    }
    showPolicy(reply, context, deps)
    const fault = faultOf(thrown, context.requestId, log)
    if (isOfPage(fault.code)) {
      sendRpcError(reply, fault, undefined, context, brand)
      return
    }
    const bytes = body === undefined ? await smallBody(request, fault) : (body ?? noBody)
    sendRpcError(reply, fault, rpcIdIn(bytes), context, brand)
  }
}

/** What a call holds until its answer is sent: a place among the streams, or a slot. */
type Place = { readonly ending?: AbortSignal; onStranded(): void }

async function placeFor(
  asked: McpRequest,
  principal: Principal,
  context: RequestContext,
  endsAt: () => number,
  { overload }: GatewayDeps,
): Promise<Place> {
  return asked.fault === null && asked.opensStream
    ? { ending: await overload.streams.open(principal, context, endsAt), onStranded: () => {} }
    : { onStranded: await overload.takeSlot(principal, context) }
}

type AdmittedCall = Place & {
  readonly admitted: Admitted
  readonly asked: McpRequest
  readonly context: RequestContext
  readonly body: Buffer
}

/** As a call of the API where there is one answer, and as a stream where events may come before it. */
function forward(
  { raw: request }: FastifyRequest,
  reply: FastifyReply,
  { admitted, asked, context, body, ending, onStranded }: AdmittedCall,
  deps: GatewayDeps,
): void {
  const { policies, proxy, brand, log } = deps
  const { rateLimiter } = policies
  const own = (): GatewayHeaders => headersOfCall(always, context, rateLimiter.rates)
  const refuse = (thrown: Fault): void => {
    showPolicy(reply, context, deps)
    sendRpcError(reply, faultOf(thrown, context.requestId, log), rpcIdIn(body), context, brand)
  }
  const forwarding = { context, body, gatewayHeaders: own(), onStranded, refuse }
  if (asked.fault === null && asked.maySendEvents)
    return proxy.forwardStream(request, reply.raw, admitted, { ...forwarding, ending })
  const charge = (ms: number) => (chargeDatabase(ms, context, rateLimiter) ? own() : null)
  proxy.forward(request, reply.raw, admitted, { ...forwarding, charge })
}

/** What a page may read of the answer, whatever that will be, stands on it from the start. */
function beginMcp(request: FastifyRequest, reply: FastifyReply, { policies, requestLog }: GatewayDeps): RequestContext {
  const { origin } = request.headers
  const isShown = origin !== undefined && policies.origins.isAllowed(origin)
  // On the raw answer: the proxy writes to that, and knows nothing of Fastify's headers.
  reply.raw.setHeaders(new Map(Object.entries({ vary: varyByOrigin, ...(isShown && corsHeaders(origin)) })))
  return requestLog.begin(request.raw, reply.raw, request.id, mcpPath)
}

/** On refusals; what is left of the limits is for `sendRpcError` to say. */
function showPolicy(reply: FastifyReply, context: RequestContext, { policies }: GatewayDeps): void {
  reply.header('ratelimit-policy', policyHeader(context, policies.rateLimiter.rates))
  if (context.keyWarnings !== null) reply.headers(context.keyWarnings)
}

/** A page that may not call is told nothing of its call. */
const isOfPage = (code: string): boolean => code === 'origin_not_allowed' || code === 'host_not_allowed'

/** Returns an empty buffer when the body is no JSON, is too long, or cannot be read to its end. */
async function smallBody({ raw, headers }: FastifyRequest, { code }: Fault): Promise<Buffer> {
  const length = Number(headers['content-length'] ?? 0)
  if (length > idSearchBytesMax || code === 'unsupported_media_type') return noBody
  return (await readBody(raw, idSearchBytesMax).catch(() => null)) ?? noBody
}

/** Of those that call; OPTIONS only asks. */
const allowed = ['POST']
const refused = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE']

type Answer = (request: FastifyRequest, reply: FastifyReply, context: RequestContext) => FastifyReply | Promise<never>

/**
 * OPTIONS, by which a browser asks whether its page may call, without a key and without a token of any limit; and those
 * that there are not. Of these a wrong key is told first: bridges that try GET take a 405 for an older server, and
 * would look for another way in.
 */
function serveOtherMethods(app: FastifyInstance, deps: GatewayDeps): void {
  const { policies, brand, log } = deps
  const serve = (method: string | string[], answer: Answer) =>
    app.route({
      method,
      url: mcpPath,
      handler: async (request, reply) => {
        const context = beginMcp(request, reply, deps)
        try {
          policies.origins.check(request.headers)
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
    throw new Fault(
      'method_not_allowed',
      'This path supports only POST: there are no sessions, and no streams to open.',
      {
        allowed,
      },
    )
  })
}

function answerPreflight({ raw, headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  discardRest(raw)
  const { origin } = headers
  if (origin !== undefined) reply.headers(preflightHeaders(origin, headers['access-control-request-headers']))
  return reply.code(204).header('allow', allowed.join(', ')).send()
}
