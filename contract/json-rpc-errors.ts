// The error codes of JSON-RPC 2.0 that gateway and service answer with. Our own are outside of the range that JSON-RPC and
// MCP reserve (-32768 to -32000). `error.data.code` is the fault code that HTTP callers get.
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
