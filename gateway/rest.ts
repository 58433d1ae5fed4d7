// One route for each operation and audience: judged here, answered by the service.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { colonPath, type Route } from '#contract/route.ts'
import type { AddressRange } from '#runtime/address.ts'
import { admitOperator, admitToApi, type Admitted, type Policies } from './admission.ts'
import type { Forward } from './forward.ts'
import { incoming, type Incoming } from './incoming.ts'
import { quotaHeaders } from './policies/answer-headers.ts'
import { withHead } from './policies/target.ts'
import type { Running, Trace } from './trace.ts'

export type Serving = {
  readonly policies: Policies
  readonly running: Running
  readonly trusted: readonly AddressRange[]
}

export function serveRoute(app: FastifyInstance, route: Route, serving: Serving, forward: Forward): void {
  app.route({
    method: withHead(route.method),
    url: colonPath(route.path),
    handler: async (request, reply) => {
      const trace = serving.running.begin(request.raw, reply.raw, request.id, route.path)
      const call = incoming(request, serving.trusted, trace)
      const admitted = await admit(route, call, request, serving.policies).finally(() => showQuota(reply, trace))
      return forward(reply, admitted, trace)
    },
  })
}

function admit(route: Route, call: Incoming, request: FastifyRequest, policies: Policies): Promise<Admitted> {
  if (route.audience === 'api') return admitToApi(call, route.operation, policies)
  const { workspaceId } = request.params as { workspaceId?: string }
  return admitOperator(call, workspaceId, policies)
}

/** On every answer for which a key was charged, the refused ones included. */
function showQuota(reply: FastifyReply, { quota }: Trace): void {
  if (quota !== null) reply.headers(quotaHeaders(quota))
}
