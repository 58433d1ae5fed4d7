// One route for each operation and audience: judged here, answered by the service.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { colonPath, type Route } from '#contract/route.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { admitOperator, admitToApi, type Admitted, type Policies } from './admission.ts'
import { chargeItems, chargeMore, giveBack } from './rate-limit/consume.ts'
import type { Forward } from './upstream/rest-proxy.ts'
import { towardsCaller, type Headers } from './upstream/proxy-headers.ts'
import { incoming, type Incoming } from './request/incoming-call.ts'
import { policyHeader, quotaHeader } from './responses/response-headers.ts'
import { itemsIn } from './policies/batch-items.ts'
import { declaredTokens, tokensFor } from './policies/body-cost.ts'
import { deprecationHeaders, joinedLinks } from './responses/deprecation-headers.ts'
import { withHead } from './request/target.ts'
import type { Running, Trace } from './request/request-log.ts'
import type { Body } from './upstream/lazy-body.ts'
import { smallBodyBytesMax, type Traffic } from './upstream/overload-protection.ts'

export type Serving = {
  readonly policies: Policies
  readonly running: Running
  readonly traffic: Traffic
  readonly trusted: readonly AddressRange[]
}

export function serveRoute(app: FastifyInstance, route: Route, serving: Serving, forward: Forward): void {
  const { policies, running, traffic } = serving
  const always = headersOf(route, policies)
  const onAnswer = (headers: IncomingHttpHeaders): Headers => joinedLinks(always, towardsCaller(headers))
  app.route({
    method: withHead(route.method),
    url: colonPath(route.path),
    handler: async (request, reply) => {
      const trace = running.begin(request.raw, reply.raw, request.id, route.path)
      const call = incoming(request, trace)
      reply.headers(always)
      try {
        const { body, ...admitted } = await admit(route, call, reply, serving).finally(() => showQuota(reply, trace))
        const onStranded = await traffic.enter(admitted.principal, trace.left, reply.raw)
        return forward(reply, admitted, trace, { body, onAnswer, onStranded })
      } catch (thrown) {
        if (trace.left.aborted) return reply.hijack()
        throw thrown
      }
    },
  })
}

/** All that can be judged and read before the service is asked. */
async function admit(
  { operation, audience }: Route,
  call: Incoming,
  reply: FastifyReply,
  { policies, traffic }: Serving,
): Promise<Admitted & { readonly body: Body }> {
  const { raw, params } = reply.request
  const { bodyBytesMax: bytesMax } = operation
  const reading = { bytesMax, readBytesMax: smallBodyBytesMax }
  if (audience === 'settings') {
    const { workspaceId } = params as { workspaceId?: string }
    const admitted = await admitOperator(call, workspaceId, operation, policies)
    return {
      ...admitted,
      body: await traffic.bodyOf(raw, { ...reading, onBytes: () => {}, onUndeclared: async () => () => {} }),
    }
  }
  const admitted = await admitToApi(call, operation, policies).catch((thrown: unknown) => {
    policies.denials.note(thrown, { call, surface: 'http', operation })
    throw thrown
  })
  const onBytes = traffic.holder(admitted.principal.id, reply.raw)
  const taken = declaredTokens(call.headers, bytesMax)
  // Of unknown length, it counts as the largest until it is there.
  const onUndeclared = async () => {
    await chargeMore({ taken, needed: tokensFor(bytesMax) }, call, policies)
    return (bytes: number) => giveBack({ taken: tokensFor(bytesMax), needed: tokensFor(bytes) }, call, policies)
  }
  if (operation.cost === undefined)
    return { ...admitted, body: await traffic.bodyOf(raw, { ...reading, onBytes, onUndeclared }) }
  // A batch is read whole, whatever its size, to be charged before any of it runs.
  const body = await traffic.bodyOf(raw, { bytesMax, readBytesMax: bytesMax, onBytes, onUndeclared })
  if (body instanceof Buffer) await chargeBatch(body, taken, call, policies)
  return { ...admitted, body }
}

async function chargeBatch(body: Buffer, taken: number, call: Incoming, policies: Policies): Promise<void> {
  const items = itemsIn(body)
  await chargeItems(items, { taken, needed: Math.max(items, tokensFor(body.length)) }, call, policies)
}

/** On every answer, the refused ones included. */
const headersOf = ({ operation, audience }: Route, { limits }: Policies): Headers => ({
  ...(audience === 'api' && { 'ratelimit-policy': policyHeader(limits.rates) }),
  ...deprecationHeaders(operation),
})

/** Wherever a key was charged. */
function showQuota(reply: FastifyReply, { quota }: Trace): void {
  if (quota !== null) reply.header('ratelimit', quotaHeader(quota))
}
