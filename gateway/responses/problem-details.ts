// A refusal as the answer that a caller may see: problem+json (RFC 9457), by Fastify or on a response that no framework
// knows of, and for MCP a JSON-RPC error. Only a Fault speaks to callers; the cause stays in our log.
import type { FastifyReply } from 'fastify'
import { asFault, type Fault } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'
import type { Log } from '#runtime/log.ts'
import { discardRest, type RpcId } from '../request/body.ts'
import { noteFault } from '../request/request-log.ts'
import { errorHeaders, rateLimitHeader } from './gateway-headers.ts'
import { pathOf } from '../request/request-head.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'
import type { RequestContext } from '../request/request-context.ts'

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

type Refused = {
  /** The gateway's part of the head: name, value, name, value… */
  readonly own: readonly string[]
  readonly requestId: string
  readonly brand: string
  /** The connection ends with it. */
  readonly ends: boolean
}

export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  { own, requestId, brand, ends }: Refused,
): void {
  discardRest(request)
  noteFault(response, fault)
  const body = JSON.stringify(problem(fault, requestId, pathOf(request.url ?? '')))
  const content = ['content-type', 'application/problem+json', 'content-length', String(Buffer.byteLength(body))]
  const ofFault = Object.entries(errorHeaders(fault, brand)).flat()
  const connection = ends && !ofFault.includes('connection') ? ['connection', 'close'] : []
  response.writeHead(fault.status, [...own, ...content, ...ofFault, ...connection]).end(body)
}

/** `data.code` is the code that HTTP callers get. There is no id where nothing was looked at that could hold one. */
export function sendRpcError(
  reply: FastifyReply,
  fault: Fault,
  id: RpcId | undefined,
  { quota, requestId }: Pick<RequestContext, 'quota' | 'requestId'>,
  brand: string,
): FastifyReply {
  discardRest(reply.request.raw)
  noteFault(reply.raw, fault)
  if (quota !== null) reply.header('ratelimit', rateLimitHeader(quota, fault.members.retryAfterSeconds))
  return reply
    .code(fault.status)
    .headers(errorHeaders(fault, brand))
    .send(rpcError(fault, id, requestId))
}

const rpcError = ({ code, status, message, members }: Fault, id: RpcId | undefined, requestId: string) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code: rpcCodeOf({ code, status }, rpcCodes.invalidRequest), message, data: { code, ...members, requestId } },
})
