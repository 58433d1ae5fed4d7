// Buckets in Redis, counted for all gateways. Whatever Redis cannot answer at once is counted in memory, from where
// Redis left it: nobody gets a second burst for its being away.
import { Redis } from 'ioredis'
import { bucketScript } from './redis-script.ts'
import type { Count } from './rate-limiter.ts'
import type { MemoryBuckets } from './memory-buckets.ts'
import { intervalUs } from './token-bucket.ts'

const commandTimeoutMs = 50
/** A Redis that hangs is hung up on after this long; until it is back, nobody asks it. */
const silenceMs = 250
const connection = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: commandTimeoutMs,
  socketTimeout: silenceMs,
  connectTimeout: 1_000,
  retryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
} as const

/** When every call fails, one error tells it. */
const toldEveryMs = 1_000

/**
 * What is in braces settles in which slot of a Redis Cluster a key lies, and a script may only touch keys of one slot. A
 * call takes from its key's bucket and its workspace's, and a key may act in many workspaces: so all share one slot.
 */
const tagged = (prefix: string): string => `{${prefix}}`

type RedisBuckets = { readonly count: Count; close(): Promise<void> }

export function openRedisBuckets(
  url: string,
  prefix: string,
  insurance: MemoryBuckets,
  onError: (error: Error) => void,
): RedisBuckets {
  const redis = new Redis(url, connection)
  redis.on('error', onError)
  const ask = scripted(redis, bucketScript())
  let toldAt = 0
  const tell = (error: Error): void => {
    if (Date.now() - toldAt < toldEveryMs) return
    toldAt = Date.now()
    onError(error)
  }

  const count: Count = async (slots, calls) => {
    if (redis.status !== 'ready') return insurance.count(slots, calls)
    const names = slots.map(({ name }) => `${tagged(prefix)}.${name}`)
    const shapes = slots.flatMap(({ rate }) => [intervalUs(rate), rate.burst])
    try {
      const [allowed, ...fullInUs] = await ask(names.length, ...names, calls, ...shapes)
      insurance.note(slots, fullInUs)
      return { allowed: allowed === 1, fullInUs }
    } catch (error) {
      tell(error as Error)
      return insurance.count(slots, calls)
    }
  }
  return { count, close: async () => redis.disconnect() }
}

type Ask = (keys: number, ...rest: readonly (string | number)[]) => Promise<number[]>

/** ioredis adds the command to the object, where its type does not show. */
export function scripted(redis: Redis, lua: string): Ask {
  redis.defineCommand('takeTokens', { lua })
  const { takeTokens } = redis as unknown as { readonly takeTokens: Ask }
  return takeTokens.bind(redis)
}
