// Anything thrown, as problem+json. Only a Fault speaks to callers; the rest is logged and answered without detail.
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Fault, asFault, problem } from '#contract/fault.ts'
import { apiBodyBytesMax } from '#contract/size-limits.ts'
import { faultOfDatabase } from '../faults/database-fault.ts'

export function answerError(log: FastifyBaseLogger) {
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

/** Fastify refuses some requests before a handler sees them. */
export function faultOfFramework(thrown: unknown, limitBytes: number = apiBodyBytesMax): unknown {
  switch ((thrown as Partial<FastifyError> | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('body_too_large', `A body has at most ${limitBytes} bytes.`, { limitBytes })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault('unsupported_media_type', 'Send application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Fault('invalid_json', 'The body has another length than it says.')
    default:
      return thrown
  }
}
