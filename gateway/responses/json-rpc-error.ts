// A refusal as a JSON-RPC error; `data.code` is the code that HTTP callers get.
import type { FastifyReply } from 'fastify'
import type { Fault } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'
import type { RpcId } from '../request/json-rpc.ts'
import { discardRest } from '../request/read-body.ts'
import { noteFault } from '../request/noted-fault.ts'
import type { RequestContext } from '../request/request-context.ts'
import { rateLimitHeader } from './rate-limit-headers.ts'
import { errorHeaders } from './response-headers.ts'

/** Without an id where nothing was looked at that could hold one. */
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
