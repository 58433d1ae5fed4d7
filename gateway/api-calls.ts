// The calls of the API, `/api/v1/*`: taken as they come from the server, before Fastify's routing, checked here and
// answered by the service. Most of them go from here to there without waiting for anything. Requests that are for no
// operation are left to Fastify's routes, which say what is wrong with them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '#contract/route-paths.ts'
import type { Log } from '#runtime/log.ts'
import { andThen, type MaybePromise } from '#runtime/maybe-promise.ts'
import { admitToApi } from './auth/admission.ts'
import { bodyOfCall } from './body-of-call.ts'
import type { Body } from './overload/request-bodies.ts'
import { alwaysOf, ofCall } from './own-headers.ts'
import { incomingCall, type IncomingCall } from './request/incoming-call.ts'
import { chargeDatabase } from './rate-limit/limiter.ts'
import { requestIdFrom } from './request/request-and-trace-id.ts'
import { isReadableHead } from './request/request-head.ts'
import { checkSegments, routeTable } from './request/route-table.ts'
import { answerProblem } from './responses/raw-problem.ts'
import { faultOf } from './responses/problem-details.ts'
import type { Serving } from './serving.ts'
import type { ForwardDirectly } from './upstream/direct-proxy.ts'
import type { OwnHeaders } from './upstream/service-call.ts'
import type { Admitted } from './upstream/signed-principal.ts'

/** Returns false for a request that is none of these; then nothing has happened. */
export type TakeCall = (request: IncomingMessage, response: ServerResponse) => boolean
type Parts = {
  readonly serving: Serving
  readonly forward: ForwardDirectly
  readonly brand: string
  readonly log: Log
  isStopping(): boolean
}
type ApiRoute = Route & { readonly always: OwnHeaders }
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly route: ApiRoute }
type AdmittedCall = Admitted & { readonly body: Body }

export function apiCalls(routes: readonly Route[], { serving, forward, brand, log, isStopping }: Parts): TakeCall {
  const { policies, requestLog, overload } = serving
  const ofApi = routes.filter(({ audience }) => audience === 'api')
  const find = routeTable(ofApi.map((route): ApiRoute => ({ ...route, always: alwaysOf(route.operation) })))

  function serve({ request, response, route }: Exchange): void {
    const requestId = requestIdFrom(request.headers['x-request-id'])
    const context = requestLog.begin(request, response, requestId, route.path)
    const call = incomingCall(request, context)
    const own = (retryAfterSeconds?: number): OwnHeaders =>
      ofCall(route.always, context, policies.rateLimiter, retryAfterSeconds)

    function refuse(thrown: unknown): void {
      policies.deniedCalls.record(thrown, { call, surface: 'http', operation: route.operation })
      if (context.isAborted) return
      // Whatever went wrong, the caller has read the beginning of another answer.
      if (response.headersSent) return void response.destroy()
      const fault = faultOf(thrown, requestId, log)
      const { list } = own(fault.members.retryAfterSeconds)
      answerProblem(request, response, fault, { own: list, requestId, brand, ends: isStopping() })
    }
    const charge = (ms: number) => (chargeDatabase(ms, context, policies.rateLimiter) ? own() : null)
    const send = ({ body, ...admitted }: AdmittedCall, onStranded: () => void): void =>
      forward(request, response, admitted, { context, body, onStranded, refuse, charge, ownHeaders: own() })
    try {
      checkSegments(request.url ?? '')
      const sent = andThen(admit(call, request, route), (admitted) =>
        andThen(overload.takeSlot(admitted.principal, context), (onStranded) => send(admitted, onStranded)),
      )
      if (sent instanceof Promise) sent.catch(refuse)
    } catch (thrown) {
      refuse(thrown)
    }
  }

  function admit(call: IncomingCall, request: IncomingMessage, { operation }: ApiRoute): MaybePromise<AdmittedCall> {
    overload.enterCall(call.context)
    return andThen(admitToApi(call, operation, policies), (admitted) =>
      andThen(bodyOfCall(call, request, operation, admitted, serving), (body) => ({ ...admitted, body })),
    )
  }

  return (request, response) => {
    const route = isReadableHead(request) ? find(request.method, request.url) : null
    if (route !== null) serve({ request, response, route })
    return route !== null
  }
}
