// Bounds that callers are told about. Bytes are bytes on the wire.
export const apiBodyBytesMax = 1024 * 1024
export const mcpBodyBytesMax = 512 * 1024
export const mcpBatchCallsMax = 50
export const mcpBatchConcurrency = 4
export const pageItemsMax = 200
export const pageItemsDefault = 50
/** Requests per key and minute. An MCP call counts one, wherever it stands in a batch. */
export const keyRequestsPerMinute = 600
export const restoreWindowDays = 30
export const webhooksPerWorkspaceMax = 50
export const idempotencyKeptHours = 24
