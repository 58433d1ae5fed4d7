// One route for each operation and audience: checked here, answered by the service.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import { colonPath, type Route } from '#contract/route-paths.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { admitToApi, type Policies } from './admission.ts'
import { admitOperator } from './operator-admission.ts'
import { batchItemsIn, declaredTokens, tokensFor } from './rate-limit/call-cost.ts'
import { consumeMore, giveBack } from './rate-limit/consume.ts'
import { useOf } from './reports/key-usage.ts'
import { incomingCall, type IncomingCall } from './request/incoming-call.ts'
import type { RequestContext } from './request/request-context.ts'
import type { RequestLog } from './request/request-log.ts'
import { withHead } from './request/target.ts'
import { deprecationHeaders, withLink } from './responses/deprecation-headers.ts'
import { policyHeader, rateLimitHeader } from './responses/rate-limit-headers.ts'
import { commonHeaders } from './responses/response-headers.ts'
import type { Body } from './overload/forward-body.ts'
import { smallBodyBytesMax, type OverloadProtection } from './overload/overload-protection.ts'
import type { Admitted } from './upstream/signed-principal.ts'
import { responseHeaders } from './upstream/proxy-headers.ts'
import type { ForwardRest } from './upstream/rest-proxy.ts'

export type Serving = {
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly overload: OverloadProtection
  readonly trustedProxies: readonly AddressRange[]
}
type AdmittedCall = Admitted & { readonly body: Body }

export function serveRoute(app: FastifyInstance, route: Route, serving: Serving, forward: ForwardRest): void {
  const { policies, requestLog, overload } = serving
  const always = headersOf(route)
  const toResponseHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
    withLink(responseHeaders(headers, commonHeaders), always['link'])
  const admit = route.audience === 'settings' ? admitSettingsCall : admitApiCall
  app.route({
    method: withHead(route.method),
    url: colonPath(route.path),
    handler: async (request, reply) => {
      const context = requestLog.begin(request.raw, reply.raw, request.id, route.path)
      const call = incomingCall(request, context)
      reply.headers(always)
      try {
        const admitting = admit(route.operation, call, reply, serving)
        const { body, ...admitted } = await admitting.finally(() => showLimits(reply, context, route, policies))
        const onStranded = await overload.takeSlot(admitted.principal, context.signal, reply.raw)
        return forward(reply, admitted, context, { body, toResponseHeaders, onStranded })
      } catch (thrown) {
        if (context.isAborted) return reply.hijack()
        throw thrown
      }
    },
  })
}

/** All that can be checked and read before the service is called. */
async function admitSettingsCall(
  operation: Operation,
  call: IncomingCall,
  { request: { raw, params } }: FastifyReply,
  { policies, overload }: Serving,
): Promise<AdmittedCall> {
  const { workspaceId } = params as { workspaceId?: string }
  const admitted = await admitOperator(call, workspaceId, operation, policies)
  const bounds = { bytesMax: operation.bodyBytesMax, readBytesMax: smallBodyBytesMax }
  const body = await overload.bodyOf(raw, { ...bounds, onBytes: () => {}, onUndeclared: async () => () => {} })
  return { ...admitted, body }
}

async function admitApiCall(
  operation: Operation,
  call: IncomingCall,
  reply: FastifyReply,
  { policies, overload }: Serving,
): Promise<AdmittedCall> {
  const { bodyBytesMax: bytesMax, cost } = operation
  const { rateLimiter, deniedCalls } = policies
  const admitted = await admitToApi(call, operation, policies).catch((thrown: unknown) => {
    deniedCalls.record(thrown, { call, surface: 'http', operation })
    throw thrown
  })
  const taken = declaredTokens(call.headers, bytesMax)
  // A body of unknown length counts as the largest until it is there.
  const onUndeclared = async () => {
    await consumeMore({ taken, needed: tokensFor(bytesMax) }, call.context, rateLimiter)
    return (bytes: number) =>
      giveBack({ taken: tokensFor(bytesMax), needed: tokensFor(bytes) }, call.context, rateLimiter)
  }
  const onBytes = overload.countBytes(admitted.principal.id, reply.raw)
  const isBatch = cost !== undefined
  // A batch is read whole, whatever its size, and its tokens are consumed before any of it runs.
  const readBytesMax = isBatch ? bytesMax : smallBodyBytesMax
  const body = await overload.bodyOf(reply.request.raw, { bytesMax, readBytesMax, onBytes, onUndeclared })
  if (isBatch && body instanceof Buffer) await consumeBatch(body, taken, call, policies)
  return { ...admitted, body }
}

async function consumeBatch(
  body: Buffer,
  taken: number,
  call: IncomingCall,
  { rateLimiter, usage }: Policies,
): Promise<void> {
  const items = batchItemsIn(body)
  await consumeMore({ taken, needed: Math.max(items, tokensFor(body.length)) }, call.context, rateLimiter)
  // One was counted when the call came.
  if (items > 1) usage.count(useOf(call.context.keyId ?? '', items - 1, call))
}

/** On every answer, the refused ones included. */
const headersOf = ({ operation }: Route): Record<string, string> => deprecationHeaders(operation)

/** The limits on the answer to every call of the API, and what is left of them once the call has consumed tokens. */
function showLimits(
  reply: FastifyReply,
  context: RequestContext,
  { audience }: Route,
  { rateLimiter }: Policies,
): void {
  if (audience === 'api') reply.header('ratelimit-policy', policyHeader(context, rateLimiter.rates))
  if (context.quota !== null) reply.header('ratelimit', rateLimitHeader(context.quota))
  if (context.keyWarnings !== null) reply.headers(context.keyWarnings)
}
