// Permitted calls of the API, sent to the service and answered without anything in between.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answer, outgoingCall, type Forwarding } from './outgoing-call.ts'
import type { Upstream } from './service-call.ts'
import type { Admitted } from './signed-principal.ts'
import { upstreamFault } from './upstream-errors.ts'

/** Answers the caller. */
export type ForwardDirectly = (
  request: IncomingMessage,
  response: ServerResponse,
  admitted: Admitted,
  forwarding: Forwarding,
) => void

export const directProxy =
  (upstream: Upstream, isStopping: () => boolean): ForwardDirectly =>
  (request, response, admitted, forwarding) => {
    const { context, refuse } = forwarding
    const call = outgoingCall(upstream, request, response, admitted, forwarding)
    call.send((error) => {
      // After the caller has disconnected there is nobody to answer.
      if (context.isAborted) return call.destroy()
      if (error === null) return answer(call, request, forwarding, isStopping())
      refuse(upstreamFault(error, request.method !== 'GET' && request.method !== 'HEAD'))
    })
  }
