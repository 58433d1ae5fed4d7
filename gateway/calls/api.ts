// The calls of the API, `/api/v1/*`: taken as they come from the server, before Fastify's routing, checked, their
// bodies read, and answered by the service. Most of them go from here to there without waiting for anything. Requests
// that are for no operation are left to Fastify's routes, which say what is wrong with them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '#contract/route-paths.ts'
import { transferMinutesMax, type Transfer } from '#contract/transfer.ts'
import { mayLast } from '#runtime/lasting-requests.ts'
import { andThen, type MaybePromise } from '#runtime/maybe-promise.ts'
import { admitToApi, admitToTransfer } from '../auth/admission.ts'
import type { AdmissionDeps } from '../auth/admission-deps.ts'
import { type Body, hasBody } from '../overload/request-bodies.ts'
import { chargeDatabase, consumeMore, giveBack } from '../rate-limit/limiter.ts'
import { headersOfOperation, headersOfCall, type GatewayHeaders } from '../responses/gateway-headers.ts'
import { incomingCall, type IncomingCall, requestIdFrom } from '../request/request-context.ts'
import { isReadableHead, checkSegments, pathOf, routeTable } from '../request/request-head.ts'
import { answerProblem, faultOf } from '../responses/problem-details.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Admitted } from '../upstream/signed-principal.ts'
import type { Operation } from '#contract/operation.ts'
import { smallBodyBytesMax, type OverloadProtection } from '../overload/overload-protection.ts'
import { batchItemsIn, declaredTokens, tokensFor } from '../rate-limit/call-cost.ts'
import { useOf } from '../reports/key-usage.ts'

/** Returns false for a request that is none of these; then nothing has happened. */
export type TakeCall = (request: IncomingMessage, response: ServerResponse) => boolean
type ApiRoute = Route & { readonly always: GatewayHeaders; readonly transfer: Transfer | null }
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly route: ApiRoute }
type AdmittedCall = Admitted & { readonly body: Body }

export function apiCalls(routes: readonly Route[], transfers: readonly Transfer[], deps: GatewayDeps): TakeCall {
  const { policies, overload, proxy, requestLog, brand, log, isStopping } = deps
  const ofApi = routes.filter(({ audience }) => audience === 'api')
  const find = routeTable(ofApi.map((route) => apiRoute(route, transfers)))

  function serve({ request, response, route }: Exchange): void {
    const requestId = requestIdFrom(request.headers['x-request-id'])
    const context = requestLog.begin(request, response, requestId, route.path)
    const call = incomingCall(request, context)
    const own = (retryAfterSeconds?: number): GatewayHeaders =>
      headersOfCall(route.always, context, policies.rateLimiter.rates, retryAfterSeconds)

    function refuse(thrown: unknown): void {
      policies.deniedCalls.record(thrown, { call, surface: 'http', operation: route.operation })
      if (context.isAborted) return
      // Whatever went wrong, the caller has read the beginning of another answer.
      if (response.headersSent) {
        response.destroy()
        return
      }
      const fault = faultOf(thrown, requestId, log)
      const { list } = own(fault.members.retryAfterSeconds)
      answerProblem(request, response, fault, { own: list, requestId, brand, ends: isStopping() })
    }
    const charge = (ms: number) => (chargeDatabase(ms, context, policies.rateLimiter) ? own() : null)
    const time = timeFor(route, request)
    const send = ({ body, ...admitted }: AdmittedCall, onStranded: () => void): void => {
      const forwarding = { context, body, onStranded, refuse, charge, gatewayHeaders: own(), ...time }
      proxy.forward(request, response, admitted, forwarding)
    }
    const takePlace = route.transfer === null ? overload.takeSlot : overload.takeTransfer
    try {
      checkSegments(request.url ?? '')
      const sent = andThen(admit(call, request, route), (admitted) =>
        andThen(takePlace(admitted.principal, context), (onStranded) => send(admitted, onStranded)),
      )
      if (sent instanceof Promise) sent.catch(refuse)
    } catch (thrown) {
      refuse(thrown)
    }
  }

  function admit(call: IncomingCall, request: IncomingMessage, route: ApiRoute): MaybePromise<AdmittedCall> {
    const { operation, transfer } = route
    overload.enterCall(call.context)
    if (transfer !== null)
      return andThen(admitToTransfer(call, pathOf(request.url ?? ''), transfer, policies), (admitted) =>
        andThen(bytesOfCall(call, request, transfer, admitted, overload), (body) => ({ ...admitted, body })),
      )
    return andThen(admitToApi(call, operation, policies), (admitted) =>
      andThen(bodyOfCall(call, request, operation, admitted, deps), (body) => ({ ...admitted, body })),
    )
  }

  return (request, response) => {
    const route = isReadableHead(request) ? find(request.method, request.url) : null
    if (route !== null) serve({ request, response, route })
    return route !== null
  }
}

const apiRoute = (route: Route, transfers: readonly Transfer[]): ApiRoute => ({
  ...route,
  always: headersOfOperation(route.operation),
  transfer: transfers.find(({ asked }) => asked === route.operation) ?? null,
})

/** An upload may take longer than any other call, and is answered when all of it is there. */
function timeFor({ transfer }: ApiRoute, request: IncomingMessage): { readonly headersMs?: number } {
  if (transfer?.direction !== 'upload') return {}
  mayLast(request)
  return { headersMs: transferMinutesMax * 60_000 }
}

/** Bytes that are no JSON. They take a place for as long as they come, and nothing of the rate limit. */
const bytesOfCall = (
  { context, headers }: IncomingCall,
  request: IncomingMessage,
  { direction, asked: { bodyBytesMax: bytesMax } }: Transfer,
  { principal }: Admitted,
  overload: OverloadProtection,
): MaybePromise<Body> => {
  if (direction === 'download' || !hasBody(headers)) return null
  const onBytes = overload.countBytes(principal.id, context)
  const onUndeclared = () => Promise.resolve(() => {})
  return overload.bodyOf(request, { bytesMax, readBytesMax: smallBodyBytesMax, onBytes, onUndeclared })
}

/**
 * What a body takes of the limits is known before it is read or, where its length is not declared and of a batch,
 * before anything of it runs.
 */
const bodyOfCall = (
  call: IncomingCall,
  request: IncomingMessage,
  operation: Operation,
  admitted: Admitted,
  deps: GatewayDeps,
): MaybePromise<Body> => (hasBody(call.headers) ? readBodyOf(call, request, operation, admitted, deps) : null)

function readBodyOf(
  call: IncomingCall,
  request: IncomingMessage,
  { bodyBytesMax: bytesMax, cost }: Operation,
  { principal }: Admitted,
  { policies, overload }: GatewayDeps,
): MaybePromise<Body> {
  const { context, headers } = call
  const { rateLimiter } = policies
  const taken = declaredTokens(headers, bytesMax)
  // A body of unknown length counts as the largest until it is there.
  const onUndeclared = async () => {
    await consumeMore({ taken, needed: tokensFor(bytesMax) }, context, rateLimiter)
    return (bytes: number) => giveBack({ taken: tokensFor(bytesMax), needed: tokensFor(bytes) }, context, rateLimiter)
  }
  const onBytes = overload.countBytes(principal.id, context)
  const isBatch = cost !== undefined
  // A batch is read whole, whatever its size, and its tokens are consumed before any of it runs.
  const readBytesMax = isBatch ? bytesMax : smallBodyBytesMax
  const reading = overload.bodyOf(request, { bytesMax, readBytesMax, onBytes, onUndeclared })
  if (!isBatch) return reading
  return andThen(reading, (body) =>
    body instanceof Buffer ? consumeBatch(body, taken, call, policies).then(() => body) : body,
  )
}

async function consumeBatch(
  body: Buffer,
  taken: number,
  call: IncomingCall,
  { rateLimiter, usage }: AdmissionDeps,
): Promise<void> {
  const items = batchItemsIn(body)
  await consumeMore({ taken, needed: Math.max(items, tokensFor(body.length)) }, call.context, rateLimiter)
  // One was counted when the call came.
  if (items > 1) usage.count(useOf(call.context.keyId ?? '', items - 1, call))
}
