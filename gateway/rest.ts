// One route for each operation and audience: checked here, answered by the service.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { colonPath, type Route } from '#contract/route-paths.ts'
import { getRefusal, type Refusal } from '#contract/refusals.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { admitToApi, type Policies } from './admission.ts'
import { admitOperator } from './operator-admission.ts'
import { batchItemsIn, declaredTokens, tokensFor } from './rate-limit/call-cost.ts'
import { consumeMore, giveBack } from './rate-limit/consume.ts'
import { hasBody } from './policies/request-content-type.ts'
import type { KeptRefusals } from './refusals/kept-refusals.ts'
import { useOf } from './reports/key-usage.ts'
import { incomingCall, type IncomingCall } from './request/incoming-call.ts'
import type { RequestContext } from './request/request-context.ts'
import type { RequestLog } from './request/request-log.ts'
import { withHead } from './request/target.ts'
import { deprecationHeaders } from './responses/deprecation-headers.ts'
import { policyHeader, rateLimitHeader } from './responses/rate-limit-headers.ts'
import { commonHeaders } from './responses/response-headers.ts'
import type { Body } from './overload/forward-body.ts'
import { smallBodyBytesMax, type OverloadProtection } from './overload/overload-protection.ts'
import type { Admitted } from './upstream/signed-principal.ts'
import type { OwnHeaders } from './upstream/service-call.ts'
import type { ForwardRest } from './upstream/rest-proxy.ts'

export type Serving = {
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly overload: OverloadProtection
  readonly trustedProxies: readonly AddressRange[]
  readonly refusals: Pick<KeptRefusals, 'find'>
}
type AdmittedCall = Admitted & { readonly body: Body }

export function serveRoute(app: FastifyInstance, route: Route, serving: Serving, forward: ForwardRest): void {
  const { policies, requestLog, overload } = serving
  const { operation } = route
  const always = alwaysOf(operation)
  const ofRefusal = operation.name === getRefusal.name
  const admit = route.audience === 'settings' ? admitSettingsCall : admitApiCall

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const call = incomingCall(reply.request, context)
    const { body, ...admitted } = await admit(operation, call, reply, serving)
    const known = ofRefusal ? await knownRefusal(call, reply, serving) : null
    if (known !== null) return sendKnown(reply, known)
    const { principal } = admitted
    const onStranded =
      overload.takeSlotNow(principal, reply.raw) ?? (await overload.takeSlot(principal, context.signal, reply.raw))
    const list = [...always.list, 'x-request-id', context.requestId, ...limitHeaders(context, route, policies)]
    const refuse = (fault: Fault) => void reply.send(fault)
    forward(reply, admitted, { context, body, onStranded, refuse, ownHeaders: { list, names: always.names } })
  }
  app.route({
    method: withHead(route.method),
    url: colonPath(route.path),
    // It returns nothing: for a promise, or the reply, Fastify would watch the answer's stream.
    handler: (request, reply) => {
      const context = requestLog.begin(request.raw, reply.raw, request.id, route.path)
      serve(reply, context).catch((thrown: unknown) => {
        if (context.isAborted) return reply.hijack()
        for (const [name, value] of pairsOf([...always.list, ...limitHeaders(context, route, policies)]))
          reply.header(name, value)
        return reply.send(thrown)
      })
    },
  })
}

/** Gateways alone know of refusals; all else is said by the service: that there is none, and what is wrong with the call. */
function knownRefusal(
  { query }: IncomingCall,
  { request }: FastifyReply,
  { refusals }: Serving,
): Promise<Refusal | null> {
  const { requestId } = request.params as { requestId: string }
  return query === '' ? refusals.find(requestId) : Promise.resolve(null)
}

const sendKnown = (reply: FastifyReply, known: Refusal): void =>
  void reply.type('application/json; charset=utf-8').send(JSON.stringify(known))

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
  overload.enterCall(call.address, reply.raw)
  const { bodyBytesMax: bytesMax, cost } = operation
  const { rateLimiter, deniedCalls } = policies
  const admitted = await admitToApi(call, operation, policies).catch((thrown: unknown) => {
    deniedCalls.record(thrown, { call, surface: 'http', operation })
    throw thrown
  })
  if (!hasBody(call.headers)) return { ...admitted, body: null }
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

/** Of a route, on every answer; and the names of all headers that are ours alone. A service may link as well. */
function alwaysOf(operation: Operation): OwnHeaders {
  const headers = { ...commonHeaders, ...deprecationHeaders(operation) }
  const names = new Set(['x-request-id', 'ratelimit-policy', 'ratelimit', ...Object.keys(headers)])
  names.delete('link')
  return { list: Object.entries(headers).flat(), names }
}

/** Of the call: its limits, what is left of them once it has consumed tokens, and what is to be said of its key. */
function limitHeaders(context: RequestContext, { audience }: Route, { rateLimiter }: Policies): string[] {
  const headers = audience === 'api' ? ['ratelimit-policy', policyHeader(context, rateLimiter.rates)] : []
  if (context.quota !== null) headers.push('ratelimit', rateLimitHeader(context.quota))
  if (context.keyWarnings !== null) headers.push(...Object.entries(context.keyWarnings).flat())
  return headers
}

function* pairsOf(list: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < list.length; at += 2) yield [list[at] ?? '', list[at + 1] ?? '']
}
