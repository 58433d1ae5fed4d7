// How every connection to Redis behaves: commands fail at once while it is away, and it reconnects for ever.

const connectTimeoutMs = 1_000

export const redisConnection = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: connectTimeoutMs,
  /** The pause in ms before a reconnect. */
  retryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
} as const
