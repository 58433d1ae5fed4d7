// Anything thrown, as the answer that a caller may see: problem+json (RFC 9457). Only a Fault speaks to callers; the
// cause stays in our log.
import type { FastifyReply } from 'fastify'
import { asFault, type Fault } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'
import type { Log } from '#runtime/log.ts'
import { discardRest } from '../request/read-body.ts'
import { noteFault } from '../request/noted-fault.ts'
import { errorHeaders } from './response-headers.ts'
import { pathOf } from '../request/target.ts'

export function sendProblem(reply: FastifyReply, fault: Fault, brand: string): FastifyReply {
  const { request } = reply
  discardRest(request.raw)
  noteFault(reply.raw, fault)
  return reply
    .code(fault.status)
    .headers(errorHeaders(fault, brand))
    .type('application/problem+json')
    .send(JSON.stringify(problem(fault, request.id, pathOf(request.url))))
}

/** Refusals are everyday, and so is a gateway that is busy; what failed on our side or behind us is not. */
export function faultOf(thrown: unknown, requestId: string, log: Log): Fault {
  const fault = asFault(thrown)
  if (fault.status >= 500 && fault.cause !== undefined)
    log.error({ err: fault.cause, requestId, code: fault.code }, 'request failed')
  return fault
}
