// One route of Fastify's for each operation of the settings API: checked here, answered by the service.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { getRefusal, type Refusal } from '#contract/refusals.ts'
import { colonPath, type Route, pathFor } from '#contract/route-paths.ts'
import { admitToSettings } from '../settings-admission.ts'
import type { Body } from '../overload/forward-body.ts'
import { browserTokenIn, cookiesFor } from '../policies/session-cookie.ts'
import type { Arrival } from '../request/trusted-proxies.ts'
import { smallBodyBytesMax } from '../overload/overload-protection.ts'
import { headersOfOperation } from '../responses/gateway-headers.ts'
import { incomingCall, type IncomingCall, type RequestContext } from '../request/request-context.ts'
import { withHead } from '../request/request-head.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Proxy } from '../upstream/proxy.ts'
import type { Admitted } from '../upstream/signed-principal.ts'
import { eventStreamType, type Stream } from '#contract/stream.ts'
import { allowing } from '../overload/open-streams-limit.ts'
import { restTypes } from '../policies/accept-header.ts'

type AdmittedCall = Admitted & { readonly body: Body; readonly arrival: Arrival }

export function serveSettings(
  app: FastifyInstance,
  route: Route,
  deps: GatewayDeps,
  { forwardReply }: Pick<Proxy, 'forwardReply'>,
): void {
  const { requestLog, overload } = deps
  const { operation } = route
  const always = headersOfOperation(operation)
  const ofRefusal = operation.name === getRefusal.name

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const call = incomingCall(reply.request.raw, context)
    const { body, arrival, ...admitted } = await admit(operation, call, reply, deps)
    const known = ofRefusal ? await knownRefusal(call, reply, deps) : null
    if (known !== null) return sendKnown(reply, known)
    const onStranded = await overload.takeSlot(admitted.principal, context)
    const list = [...always.list, 'x-request-id', context.requestId]
    const refuse = (fault: Fault) => void reply.send(fault)
    forwardReply(reply, admitted, {
      context,
      body,
      onStranded,
      refuse,
      browser: browserTokenIn(call.headers.cookie, arrival),
      gatewayHeaders: { list, names: always.names, toCookies: cookiesFor(arrival) },
    })
  }
  app.route({
    method: withHead(route.method),
    url: colonPath(route.path),
    // It returns nothing: for a promise, or the reply, Fastify would watch the answer's stream.
    handler: (request, reply) => {
      const context = requestLog.begin(request.raw, reply.raw, request.id, route.path)
      serve(reply, context).catch((thrown: unknown) => {
        if (context.isAborted) return reply.hijack()
        for (const [name, value] of pairsOf(always.list)) reply.header(name, value)
        return reply.send(thrown)
      })
    },
  })
}

/** Gateways alone know of refusals; all else is said by the service: that there is none, and what is wrong with the call. */
function knownRefusal(
  { query }: IncomingCall,
  { request }: FastifyReply,
  { refusals }: GatewayDeps,
): Promise<Refusal | null> {
  const { requestId } = request.params as { requestId: string }
  return query === '' ? refusals.find(requestId) : Promise.resolve(null)
}

const sendKnown = (reply: FastifyReply, known: Refusal): void =>
  void reply.type('application/json; charset=utf-8').send(JSON.stringify(known))

/** All that can be checked and read before the service is called. */
async function admit(
  operation: Operation,
  call: IncomingCall,
  { request }: FastifyReply,
  deps: GatewayDeps,
): Promise<AdmittedCall> {
  const admitted = await admitToSettings(call, request, operation, deps)
  const bounds = { bytesMax: operation.bodyBytesMax, readBytesMax: smallBodyBytesMax }
  const body = await deps.overload.bodyOf(request.raw, {
    ...bounds,
    onBytes: () => {},
    onUndeclared: async () => () => {},
  })
  return { ...admitted, body }
}

function* pairsOf(list: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < list.length; at += 2) yield [list[at] ?? '', list[at + 1] ?? '']
}

// One route of Fastify's for each stream of the settings API. A stream is checked like a call, holds a place of its own
// instead of a slot, and ends when what it was allowed by does.

const streamTypes = [eventStreamType, ...restTypes]
/** The browser opens it again where it was, if its session is still good by then: one that is idle for too long is not. */
const streamOfSessionMs = 60_000

export function serveSettingsStream(
  app: FastifyInstance,
  { asked }: Stream,
  deps: GatewayDeps,
  { forwardStream }: Pick<Proxy, 'forwardStream'>,
): void {
  const { requestLog, overload } = deps
  const path = pathFor(asked, 'settings')
  const always = headersOfOperation(asked)

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const call = incomingCall(reply.request.raw, context)
    const { keys } = deps.policies
    const since = keys.changeNumber()
    const admitted = await admitToSettings(call, reply.request, asked, deps, streamTypes)
    const isOperator = admitted.principal.kind === 'operator'
    const endsAt = isOperator ? Infinity : Date.now() + streamOfSessionMs
    // What has changed while the service was asked for the session is not told again.
    const isUnchanged = (): boolean => isOperator || keys.areUnchanged(allowing(admitted.principal), since)
    const ending = await overload.streams.open(admitted.principal, context, () => (isUnchanged() ? endsAt : 0))
    forwardStream(reply.request.raw, reply.raw, admitted, {
      context,
      body: null,
      gatewayHeaders: { list: [...always.list, 'x-request-id', context.requestId], names: always.names },
      ending,
      onStranded: () => {},
      refuse: (fault) => void reply.send(fault),
    })
  }
  // HEAD would be answered by a stream that does not end.
  app.route({
    method: 'GET',
    url: colonPath(path),
    exposeHeadRoute: false,
    // It returns nothing: for a promise, Fastify would watch the answer's stream.
    handler: (request, reply) => {
      const context = requestLog.begin(request.raw, reply.raw, request.id, path)
      serve(reply, context).catch((thrown: unknown) => (context.isAborted ? reply.hijack() : reply.send(thrown)))
    },
  })
}
