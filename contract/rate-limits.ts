// How many calls keys and workspaces may make: `burst` at once, and `perMinute` in the long run (token buckets).

/** Of one key. An item of a batch counts as a call. */
export const keyRate = { perMinute: 600, burst: 100 }
/** A body counts as one call for each part of this size. */
export const bodyBytesPerCall = 64 * 1024
/** Of one key, for MCP's `initialize` and `server/discover`, which count for no other limit. */
export const handshakeRate = { perMinute: 60, burst: 30 }
/** Of all keys in one workspace together. */
export const workspaceRate = { perMinute: 3_000, burst: 500 }
