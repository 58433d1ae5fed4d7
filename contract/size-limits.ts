// Bounds that callers are told about. Bytes are bytes on the wire.
export const apiBodyBytesMax = 1024 * 1024
/** Of one document, in UTF-8; and how many of them a page shows with theirs. */
export const contentBytesMax = 1024 * 1024
/** Whatever content is permitted passes however its JSON is spelt, `\u0041` for each `A`; and the other fields with it. */
export const documentBodyBytesMax = 6 * contentBytesMax + 128 * 1024
export const contentPageItemsMax = 20
export const searchHitsMax = 50
export const searchHitsDefault = 20
export const mcpBodyBytesMax = 512 * 1024
export const mcpBatchCallsMax = 50
export const mcpBatchConcurrency = 4
export const pageItemsMax = 200
export const pageItemsDefault = 50
/** Calls of one key: `burst` at once, and `perMinute` in the long run. An item of a batch counts as a call. */
export const keyRate = { perMinute: 600, burst: 100 }
/** A larger body counts as so many calls as it has parts of this size. */
export const bodyBytesPerCall = 64 * 1024
/** MCP's `initialize` and `server/discover`, which those two do not refuse. */
export const handshakeRate = { perMinute: 60, burst: 30 }
/** Of all keys in one workspace together. */
export const workspaceRate = { perMinute: 3_000, burst: 500 }
export const batchItemsMax = 100
/** Of any list or object in a body: no operation takes more anywhere. */
export const listItemsMax = 1_000
export const restoreWindowDays = 30
export const eventsKeptDays = 30
export const feedWaitSecondsMax = 20
export const webhooksPerWorkspaceMax = 50
export const webhookUrlLengthMax = 2_048
/** Not archived; and with the archived ones. */
export const customFieldsPerTargetMax = 100
export const customFieldsWithArchivedPerTargetMax = 1_000
export const idempotencyKeptHours = 24
/** Of one segment of a path: so far that the schema, and not the router, says what is too long. */
export const pathSegmentLengthMax = 8_192

/** Of a tightened key policy, for the keys that are there: 90 days. */
export const policyGraceHoursMax = 2_160
export const policyPreviewKeysMax = 100
