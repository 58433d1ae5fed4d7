// One route for each operation and audience: judged here, answered by the service.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { colonPath, type Route } from '#contract/route.ts'
import type { AddressRange } from '#runtime/address.ts'
import { admitOperator, admitToApi, type Admitted, type Policies } from './admission.ts'
import { chargeMore } from './charge.ts'
import type { Forward } from './forward.ts'
import { costOf, towardsCaller, type Headers } from './headers.ts'
import { incoming, type Incoming } from './incoming.ts'
import { policyHeader, quotaHeader } from './policies/answer-headers.ts'
import { deprecationHeaders, joinedLinks } from './policies/deprecation.ts'
import { withHead } from './policies/target.ts'
import type { Running, Trace } from './trace.ts'

export type Serving = {
  readonly policies: Policies
  readonly running: Running
  readonly trusted: readonly AddressRange[]
}

export function serveRoute(app: FastifyInstance, route: Route, serving: Serving, forward: Forward): void {
  const { policies, running } = serving
  const always = headersOf(route, policies)
  app.route({
    method: withHead(route.method),
    url: colonPath(route.path),
    handler: async (request, reply) => {
      const trace = running.begin(request.raw, reply.raw, request.id, route.path)
      const call = incoming(request, trace)
      reply.headers(always)
      const admitted = await admit(route, call, request, policies).finally(() => showQuota(reply, trace))
      const onAnswer = (headers: IncomingHttpHeaders): Headers => {
        const calls = costOf(headers)
        if (calls > 1) chargeMore(calls - 1, call, policies)
        showQuota(reply, trace)
        return joinedLinks(always, towardsCaller(headers))
      }
      return forward(reply, admitted, trace, { bodyBytesMax: route.operation.bodyBytesMax, onAnswer })
    },
  })
}

async function admit(route: Route, call: Incoming, request: FastifyRequest, policies: Policies): Promise<Admitted> {
  const { operation, audience } = route
  const { workspaceId } = request.params as { workspaceId?: string }
  if (audience === 'settings') return admitOperator(call, workspaceId, operation, policies)
  return admitToApi(call, operation, policies).catch((thrown: unknown) => {
    policies.denials.note(thrown, { call, surface: 'http', operation })
    throw thrown
  })
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
