// A refusal as a JSON-RPC error; `data.code` is the code that HTTP callers get.
import type { FastifyReply } from 'fastify'
import type { Fault } from '#contract/fault.ts'
import type { FaultCode } from '#contract/fault-codes.ts'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import type { RpcId } from '../request/json-rpc.ts'
import { discardRest } from '../request/read-body.ts'
import type { RequestContext } from '../request/request-context.ts'
import { rateLimitHeader } from './rate-limit-headers.ts'
import { errorHeaders } from './response-headers.ts'

/** Fault codes whose JSON-RPC number does not follow from their status. */
const numbers: Partial<Record<FaultCode, number>> = {
  invalid_json: rpcCodes.parseError,
  workspace_required: rpcCodes.workspaceUnclear,
  workspace_invalid: rpcCodes.workspaceUnclear,
  workspace_conflict: rpcCodes.workspaceUnclear,
}

export function sendRpcError(
  reply: FastifyReply,
  fault: Fault,
  id: RpcId,
  { quota, requestId }: Pick<RequestContext, 'quota' | 'requestId'>,
  brand: string,
): FastifyReply {
  discardRest(reply.request.raw)
  if (quota !== null) reply.header('ratelimit', rateLimitHeader(quota))
  return reply
    .code(fault.status)
    .headers(errorHeaders(fault, brand))
    .send(rpcError(fault, id, requestId))
}

const rpcError = ({ code, status, message, members }: Fault, id: RpcId, requestId: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: numbers[code] ?? numberOf(status), message, data: { code, ...members, requestId } },
})

function numberOf(status: number): number {
  if (status >= 500) return rpcCodes.internalError
  switch (status) {
    case 401:
      return rpcCodes.unauthenticated
    case 403:
      return rpcCodes.forbidden
    case 429:
      return rpcCodes.rateLimited
    default:
      return rpcCodes.invalidRequest
  }
}
