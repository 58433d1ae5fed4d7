// One route of Fastify's for each operation of the settings API: checked here, answered by the service.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { getRefusal, type Refusal } from '#contract/refusals.ts'
import { colonPath, type Route } from '#contract/route-paths.ts'
import { admitToSettings } from './auth/settings-admission.ts'
import type { Body } from './overload/request-bodies.ts'
import { browserTokenIn, cookiesFor } from './request/session-cookie.ts'
import type { Arrival } from './request/transport.ts'
import { smallBodyBytesMax } from './overload/overload-protection.ts'
import { alwaysOf } from './own-headers.ts'
import { incomingCall, type IncomingCall } from './request/incoming-call.ts'
import type { RequestContext } from './request/request-context.ts'
import { withHead } from './request/target.ts'
import type { Serving } from './serving.ts'
import type { ForwardRest } from './upstream/rest-proxy.ts'
import type { Admitted } from './upstream/signed-principal.ts'

type AdmittedCall = Admitted & { readonly body: Body; readonly arrival: Arrival }

export function serveSettings(app: FastifyInstance, route: Route, serving: Serving, forward: ForwardRest): void {
  const { requestLog, overload } = serving
  const { operation } = route
  const always = alwaysOf(operation)
  const ofRefusal = operation.name === getRefusal.name

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const call = incomingCall(reply.request.raw, context)
    const { body, arrival, ...admitted } = await admit(operation, call, reply, serving)
    const known = ofRefusal ? await knownRefusal(call, reply, serving) : null
    if (known !== null) return sendKnown(reply, known)
    const onStranded = await overload.takeSlot(admitted.principal, context)
    const list = [...always.list, 'x-request-id', context.requestId]
    const refuse = (fault: Fault) => void reply.send(fault)
    forward(reply, admitted, {
      context,
      body,
      onStranded,
      refuse,
      browser: browserTokenIn(call.headers.cookie, arrival),
      ownHeaders: { list, names: always.names, toCookies: cookiesFor(arrival) },
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
  { refusals }: Serving,
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
  serving: Serving,
): Promise<AdmittedCall> {
  const admitted = await admitToSettings(call, request, operation, serving)
  const bounds = { bytesMax: operation.bodyBytesMax, readBytesMax: smallBodyBytesMax }
  const body = await serving.overload.bodyOf(request.raw, {
    ...bounds,
    onBytes: () => {},
    onUndeclared: async () => () => {},
  })
  return { ...admitted, body }
}

function* pairsOf(list: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < list.length; at += 2) yield [list[at] ?? '', list[at + 1] ?? '']
}
