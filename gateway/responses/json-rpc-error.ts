// A refusal in the words of JSON-RPC; `data.code` is the same code that HTTP callers get.
import { Fault, type FaultCode } from '#contract/fault.ts'
import { rpcCodes } from '#contract/json-rpc-errors.ts'

export type RpcId = string | number | null

/** A body that no JSON-RPC server can serve: always status 400, whatever HTTP alone would call it. */
export class InvalidRequest extends Fault {
  override get status(): number {
    return 400
  }
}

/** Codes whose number does not follow from their status. */
const numbers: Partial<Record<FaultCode, number>> = {
  invalid_json: rpcCodes.parseError,
  workspace_required: rpcCodes.workspaceUnclear,
  workspace_invalid: rpcCodes.workspaceUnclear,
  workspace_conflict: rpcCodes.workspaceUnclear,
}

export const rpcError = ({ code, status, message, members }: Fault, id: RpcId, requestId: string) => ({
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
