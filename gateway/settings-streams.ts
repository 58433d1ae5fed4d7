// One route of Fastify's for each stream of the settings API. A stream is checked like a call, holds a place of its own
// instead of a slot, and ends when what it was allowed by does.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { colonPath, pathFor } from '#contract/route-paths.ts'
import { eventStreamType, type Stream } from '#contract/stream.ts'
import { allowing } from './overload/open-streams-limit.ts'
import { restTypes } from './auth/request-policies.ts'
import { incomingCall } from './request/incoming-call.ts'
import type { RequestContext } from './request/request-context.ts'
import type { Serving } from './serving.ts'
import { admitToSettings } from './auth/settings-admission.ts'
import type { ForwardEvents } from './upstream/event-proxy.ts'

const streamTypes = [eventStreamType, ...restTypes]
/** The browser opens it again where it was, if its session is still good by then: one that is idle for too long is not. */
const streamOfSessionMs = 60_000
const noBody = Buffer.alloc(0)

export function serveSettingsStream(
  app: FastifyInstance,
  { asked }: Stream,
  serving: Serving,
  forward: ForwardEvents,
): void {
  const { requestLog, overload } = serving
  const path = pathFor(asked, 'settings')

  async function serve(reply: FastifyReply, context: RequestContext): Promise<void> {
    const call = incomingCall(reply.request.raw, context)
    const { keys } = serving.policies
    const since = keys.changeNumber()
    const admitted = await admitToSettings(call, reply.request, asked, serving, streamTypes)
    const isOperator = admitted.principal.kind === 'operator'
    const endsAt = isOperator ? Infinity : Date.now() + streamOfSessionMs
    // What has changed while the service was asked for the session is not told again.
    const isUnchanged = (): boolean => isOperator || keys.areUnchanged(allowing(admitted.principal), since)
    const ending = await overload.streams.open(admitted.principal, context, () => (isUnchanged() ? endsAt : 0))
    await forward(reply, noBody, admitted, context, { ending })
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
