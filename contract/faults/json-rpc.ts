// The error codes of JSON-RPC 2.0 that gateway and service answer with. Our own are outside of the range that JSON-RPC
// and MCP reserve (-32768 to -32000). `error.data.code` is the fault code that HTTP callers get.
import type { Fault, FaultCode } from './fault.ts'

export const mcpBodyBytesMax = 512 * 1024

export const mcpBatchCallsMax = 50

export const mcpBatchConcurrency = 4

/**
 * What the calls of an MCP batch act on, together. Each counts for the rate limit, and a bucket of tokens holds no
 * more.
 */
export const mcpBatchObjectsMax = 100

export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  unauthenticated: -31_001,
  workspaceUnclear: -31_002,
  forbidden: -31_003,
  rateLimited: -31_029,
} as const

/** Fault codes whose JSON-RPC number does not follow from their status. */
const numbers: Partial<Record<FaultCode, number>> = {
  invalid_json: rpcCodes.parseError,
  workspace_required: rpcCodes.workspaceUnclear,
  workspace_invalid: rpcCodes.workspaceUnclear,
  workspace_conflict: rpcCodes.workspaceUnclear,
}

/** `otherwise`: the number for a refusal that is the caller's fault and has none of its own. */
export function rpcCodeOf({ code, status }: Pick<Fault, 'code' | 'status'>, otherwise: number): number {
  const number = numbers[code]
  if (number !== undefined) return number
  if (status >= 500) return rpcCodes.internalError
  switch (status) {
    case 401:
      return rpcCodes.unauthenticated
    case 403:
      return rpcCodes.forbidden
    case 429:
      return rpcCodes.rateLimited
    default:
      return otherwise
  }
}
