// The error numbers of JSON-RPC 2.0 that both tiers answer with. Those of our own lie outside of the range that JSON-RPC
// and MCP keep for themselves; `error.data.code` is the code that HTTP callers get.
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
