// Error responses: whatever is thrown, as problem+json (RFC 9457). Only a Fault's message reaches callers; anything
// else is logged and answered as `internal` without detail.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, FastifyError } from 'fastify'
import { asFault, Fault, type FaultCode } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'
import { detailOf } from '#contract/internal/api-calls.ts'
import { noteRefusal } from '#runtime/refusal.ts'
import type { FaultOfDatabase } from '../faults/database-faults.ts'
import { tellOutcome } from './call-outcome.ts'

export function errorHandler(log: FastifyBaseLogger, faultOfDatabase: FaultOfDatabase) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const fault = asFault(faultOfDatabase(faultOfFramework(thrown, request.routeOptions.bodyLimit)))
    if (fault.status >= 500) report(log, fault, request.id)
    return sendFault(fault, request, reply)
  }
}

/**
 * These are logged with their cause where they are noticed, as a change of readiness: here one line without a stack.
 */
const ofInstallation: ReadonlySet<FaultCode> = new Set(['unavailable', 'storage_full'] as const)

function report(log: FastifyBaseLogger, fault: Fault, requestId: string): void {
  if (ofInstallation.has(fault.code)) return log.warn({ reason: fault.message, requestId }, 'request refused')
  log.error({ err: fault.cause ?? fault, requestId }, 'request failed')
}

function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteRefusal(reply.raw, fault.code)
  tellOutcome(reply, { code: fault.code, detail: detailOf(fault) })
  const { retryAfterSeconds, currentVersion, bytes } = fault.members
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (typeof currentVersion === 'number') reply.header('etag', `"${currentVersion}"`)
  if (fault.code === 'range_not_satisfiable') reply.header('content-range', `bytes */${Number(bytes)}`)
  const instance = request.url.split('?')[0] ?? ''
  return reply
    .code(fault.status)
    .type('application/problem+json')
    .send(problem(fault, request.id, instance))
}

// Fastify's own refusals of a request, such as a body that is too large, as Faults.

/** Returns the thrown value itself where it is none of Fastify's refusals. */
export function faultOfFramework(thrown: unknown, limitBytes: number = apiBodyBytesMax): unknown {
  switch ((thrown as Partial<FastifyError> | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('body_too_large', `A body can have at most ${limitBytes} bytes.`, { limitBytes })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault('unsupported_media_type', 'Send application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Fault('invalid_json', 'The body has another length than it says.')
    default:
      return thrown
  }
}
