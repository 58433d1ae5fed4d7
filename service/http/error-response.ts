// Anything thrown, as problem+json. Only a Fault speaks to callers; the rest is logged and answered without detail.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { asFault, type Fault } from '#contract/fault.ts'
import { problem } from '#contract/problem-details.ts'
import type { FaultOfDatabase } from '../faults/database-fault.ts'
import { faultOfFramework } from '../faults/framework-fault.ts'

export function errorHandler(log: FastifyBaseLogger, faultOfDatabase: FaultOfDatabase) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const fault = asFault(faultOfDatabase(faultOfFramework(thrown, request.routeOptions.bodyLimit)))
    if (fault.status >= 500) report(log, fault, request.id)
    return sendFault(fault, request, reply)
  }
}

/** What is away is told where it is noticed, with its reason: here it is one line a request, without a stack. */
function report(log: FastifyBaseLogger, fault: Fault, requestId: string): void {
  if (fault.code === 'unavailable') return log.warn({ reason: fault.message, requestId }, 'request refused')
  log.error({ err: fault.cause ?? fault, requestId }, 'request failed')
}

function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { retryAfterSeconds, currentVersion } = fault.members
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (typeof currentVersion === 'number') reply.header('etag', `"${currentVersion}"`)
  const instance = request.url.split('?')[0] ?? ''
  return reply
    .code(fault.status)
    .type('application/problem+json')
    .send(problem(fault, request.id, instance))
}
