// Token buckets in Redis, counted for all gateways together. What happens while Redis is away is decided in
// gateway/rate-limit/redis-fallback.ts.
import { Redis, type Result } from 'ioredis'
import { redisConnection } from '#runtime/redis-connection.ts'
import { bucketScript } from './redis-script.ts'
import { intervalUs, type ConsumeTokens } from './token-bucket.ts'

declare module 'ioredis' {
  // The command that `withScript` defines.
  interface RedisCommander<Context> {
    takeTokens(keys: number, ...rest: readonly (string | number)[]): Result<number[], Context>
  }
}

const commandTimeoutMs = 50
/** A connection on which Redis says nothing for this long is closed; until a new one is open, Redis is not asked. */
const silenceMs = 250
const connection = { ...redisConnection, commandTimeout: commandTimeoutMs, socketTimeout: silenceMs }

export type RedisBuckets = {
  isReady(): boolean
  /** Rejects when Redis does not answer in time. */
  readonly consume: ConsumeTokens
  close(): Promise<void>
}

export function openRedisBuckets(url: string, prefix: string, onError: (error: Error) => void): RedisBuckets {
  const redis = withScript(new Redis(url, connection), bucketScript())
  redis.on('error', onError)

  const consume: ConsumeTokens = async (buckets, tokens) => {
    const names = buckets.map(({ name }) => `${hashTag(prefix)}.${name}`)
    const rates = buckets.flatMap(({ rate }) => [intervalUs(rate), rate.burst])
    const [allowed, ...fullInUs] = await redis.takeTokens(names.length, ...names, tokens, ...rates)
    return { allowed: allowed === 1, fullInUs }
  }
  return { isReady: () => redis.status === 'ready', consume, close: async () => redis.disconnect() }
}

/**
 * In a Redis Cluster the braces decide in which slot a key lies, and a script may only touch keys of one slot. A call
 * takes from its key's bucket and its workspace's, and a key may act in many workspaces: so all buckets share one slot.
 */
const hashTag = (prefix: string): string => `{${prefix}}`

/** Defines the command `takeTokens` on this connection. */
export function withScript(redis: Redis, lua: string): Redis {
  redis.defineCommand('takeTokens', { lua })
  return redis
}
