// Error responses: whatever is thrown, as problem+json (RFC 9457). Only a Fault's message reaches callers; anything
// else is logged and answered as `internal` without detail.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { asFault, type Fault, type FaultCode } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'
import { noteRefusal } from '#runtime/refusal.ts'
import type { FaultOfDatabase } from '../faults/database-fault.ts'
import { faultOfFramework } from '../faults/framework-fault.ts'

export function errorHandler(log: FastifyBaseLogger, faultOfDatabase: FaultOfDatabase) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const fault = asFault(faultOfDatabase(faultOfFramework(thrown, request.routeOptions.bodyLimit)))
    if (fault.status >= 500) report(log, fault, request.id)
    return sendFault(fault, request, reply)
  }
}

/** These are logged with their cause where they are noticed, as a change of readiness: here one line without a stack. */
const ofInstallation: ReadonlySet<FaultCode> = new Set(['unavailable', 'storage_full'] as const)

function report(log: FastifyBaseLogger, fault: Fault, requestId: string): void {
  if (ofInstallation.has(fault.code)) return log.warn({ reason: fault.message, requestId }, 'request refused')
  log.error({ err: fault.cause ?? fault, requestId }, 'request failed')
}

function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteRefusal(reply.raw, fault.code)
  const { retryAfterSeconds, currentVersion } = fault.members
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (typeof currentVersion === 'number') reply.header('etag', `"${currentVersion}"`)
  const instance = request.url.split('?')[0] ?? ''
  return reply
    .code(fault.status)
    .type('application/problem+json')
    .send(problem(fault, request.id, instance))
}
