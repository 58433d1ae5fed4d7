// /api/mcp by any other method than POST: OPTIONS, by which a browser asks whether its page may call, without a key and
// without a token of any limit; and those that there are not. Of these a wrong key is told first: bridges that try GET
// take a 405 for an older server, and would look for another way in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { mcpPath } from '#contract/route-paths.ts'
import type { Log } from '#runtime/log.ts'
import { admitKeyToMcp } from './auth/admission.ts'
import type { OriginPolicy } from './auth/address-policies.ts'
import { incomingCall } from './request/incoming-call.ts'
import { discardRest } from './request/read-body.ts'
import type { RequestContext } from './request/request-context.ts'
import type { RequestLog } from './request/request-log.ts'
import { corsHeaders, preflightHeaders, varyByOrigin } from './responses/cors-headers.ts'
import { sendRpcError } from './responses/json-rpc-error.ts'
import { faultOf } from './responses/problem-details.ts'
import type { Policies } from './auth/policies.ts'

/** Of those that call; OPTIONS only asks. */
const allowed = ['POST']
const refused = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE']

type Parts = {
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly brand: string
  readonly log: Log
}

type Answer = (request: FastifyRequest, reply: FastifyReply, context: RequestContext) => FastifyReply | Promise<never>

export function serveOtherMethods(app: FastifyInstance, { policies, requestLog, brand, log }: Parts): void {
  const { origins } = policies
  const serve = (method: string | string[], answer: Answer) =>
    app.route({
      method,
      url: mcpPath,
      handler: async (request, reply) => {
        const context = beginMcp(request, reply, origins, requestLog)
        try {
          origins.check(request.headers)
          return await answer(request, reply, context)
        } catch (thrown) {
          return sendRpcError(reply, faultOf(thrown, context.requestId, log), undefined, context, brand)
        }
      },
    })
  serve('OPTIONS', answerPreflight)
  serve(refused, async (request, _reply, context) => {
    const call = incomingCall(request.raw, context)
    await admitKeyToMcp(call, policies).catch((thrown: unknown) => {
      policies.deniedCalls.record(thrown, { call, surface: 'mcp', operation: null })
      throw thrown
    })
    throw new Fault('method_not_allowed', 'This address takes POST: there are no sessions, and no streams to open.', {
      allowed,
    })
  })
}

/** What a page may read of the answer, whatever that will be, stands on it from the start. */
export function beginMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: OriginPolicy,
  requestLog: RequestLog,
): RequestContext {
  const { origin } = request.headers
  const isShown = origin !== undefined && origins.isAllowed(origin)
  // On the raw answer: the proxy writes to that, and knows nothing of Fastify's headers.
  reply.raw.setHeaders(new Map(Object.entries({ vary: varyByOrigin, ...(isShown && corsHeaders(origin)) })))
  return requestLog.begin(request.raw, reply.raw, request.id, mcpPath)
}

function answerPreflight({ raw, headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  discardRest(raw)
  const { origin } = headers
  if (origin !== undefined) reply.headers(preflightHeaders(origin, headers['access-control-request-headers']))
  return reply.code(204).header('allow', allowed.join(', ')).send()
}
