// The settings API: a route of Fastify's for each operation and for each stream. Calls are checked here and answered by
// the service; a stream is checked like a call, holds a place of its own instead of a slot, and ends when what it was
// allowed by does.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { getRefusal, type Refusal } from '#contract/refusals.ts'
import { colonPath, pathFor, type Route } from '#contract/route-paths.ts'
import { eventStreamType, type Stream } from '#contract/stream.ts'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import type { Body } from '../overload/request-bodies.ts'
import { restTypes } from '../auth/request-policies.ts'
import { browserTokenIn, cookiesFor } from '../request/session-cookie.ts'
import { admitToSettings } from '../auth/settings-admission.ts'
import { allowing } from '../overload/open-streams-limit.ts'
import { smallBodyBytesMax } from '../overload/overload-protection.ts'
import { incomingCall, type IncomingCall, type RequestContext } from '../request/request-context.ts'
import { withHead } from '../request/request-head.ts'
import { headersOfOperation, type GatewayHeaders } from '../responses/gateway-headers.ts'
import type { GatewayDeps } from './gateway-deps.ts'

export function serveSettings(app: FastifyInstance, { operation, method, path }: Route, deps: GatewayDeps): void {
  const always = headersOfOperation(operation)
  const ofRefusal = operation.name === getRefusal.name

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const call = incomingCall(reply.request.raw, context)
    const { arrival, ...admitted } = await admitToSettings(call, reply.request, operation, deps)
    const body = await bodyOf(reply, operation, deps)
    const known = ofRefusal ? await knownRefusal(call, reply, deps) : null
    if (known !== null) return sendKnown(reply, known)
    deps.proxy.forwardReply(reply, admitted, {
      context,
      body,
      gatewayHeaders: { ...withRequestId(always, context), toCookies: cookiesFor(arrival) },
      browser: browserTokenIn(call.headers.cookie, arrival),
      onStranded: await deps.overload.takeSlot(admitted.principal, context),
      refuse: (fault) => send(reply, fault),
    })
  }
  app.route({
    method: withHead(method),
    url: colonPath(path),
    // It returns nothing: for a promise, or the reply, Fastify would watch the answer's stream.
    handler: (request, reply) => {
      const context = deps.requestLog.begin(request.raw, reply.raw, request.id, path)
      serve(reply, context).catch((thrown: unknown) => {
        if (context.isAborted) return reply.hijack()
        for (const [name, value] of pairsOf(always.list)) reply.header(name, value)
        return reply.send(thrown)
      })
    },
  })
}

const bodyOf = ({ request }: FastifyReply, operation: Operation, { overload }: GatewayDeps): MaybePromise<Body> =>
  overload.bodyOf(request.raw, {
    bytesMax: operation.bodyBytesMax,
    readBytesMax: smallBodyBytesMax,
    onBytes: () => {},
    onUndeclared: async () => () => {},
  })

/**
 * Gateways alone know of refusals; all else is said by the service: that there is none, and what is wrong with the
 * call.
 */
function knownRefusal(
  { query }: IncomingCall,
  { request }: FastifyReply,
  { refusals }: GatewayDeps,
): Promise<Refusal | null> {
  const { requestId } = request.params as { requestId: string }
  return query === '' ? refusals.find(requestId) : Promise.resolve(null)
}

function sendKnown(reply: FastifyReply, known: Refusal): void {
  reply.type('application/json; charset=utf-8').send(JSON.stringify(known))
}

function* pairsOf(list: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < list.length; at += 2) yield [list[at] ?? '', list[at + 1] ?? '']
}

const streamTypes = [eventStreamType, ...restTypes]
/**
 * The browser opens it again where it was, if its session is still good by then: one that is idle for too long is not.
 */
const streamOfSessionMs = 60_000

export function serveSettingsStream(app: FastifyInstance, { asked }: Stream, deps: GatewayDeps): void {
  const path = pathFor(asked, 'settings')
  const always = headersOfOperation(asked)

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const { request, raw } = reply
    const { keys } = deps.policies
    const since = keys.changeNumber()
    const admitted = await admitToSettings(incomingCall(request.raw, context), request, asked, deps, streamTypes)
    const { principal } = admitted
    const isOperator = principal.kind === 'operator'
    const endsAt = isOperator ? Infinity : Date.now() + streamOfSessionMs
    // What has changed while the service was asked for the session is not told again.
    const isUnchanged = (): boolean => isOperator || keys.areUnchanged(allowing(principal), since)
    deps.proxy.forwardStream(request.raw, raw, admitted, {
      context,
      body: null,
      gatewayHeaders: withRequestId(always, context),
      ending: await deps.overload.streams.open(principal, context, () => (isUnchanged() ? endsAt : 0)),
      onStranded: () => {},
      refuse: (fault) => send(reply, fault),
    })
  }
  // HEAD would be answered by a stream that does not end.
  app.route({
    method: 'GET',
    url: colonPath(path),
    exposeHeadRoute: false,
    // It returns nothing: for a promise, Fastify would watch the answer's stream.
    handler: (request, reply) => {
      const context = deps.requestLog.begin(request.raw, reply.raw, request.id, path)
      serve(reply, context).catch((thrown: unknown) => (context.isAborted ? reply.hijack() : reply.send(thrown)))
    },
  })
}

const withRequestId = ({ list, names }: GatewayHeaders, { requestId }: RequestContext): GatewayHeaders => ({
  list: [...list, 'x-request-id', requestId],
  names,
})

function send(reply: FastifyReply, fault: Fault): void {
  reply.send(fault)
}
