// Who counts: Redis, for all gateways together; or, while Redis is away or late, this process for itself, from where
// Redis left it. So no call waits for Redis, and nobody gets a second burst because it is away.
import type { MemoryBuckets } from './memory-buckets.ts'
import type { RedisBuckets } from './redis-buckets.ts'
import type { ConsumeTokens } from './token-bucket.ts'

/** When every call fails, one error is reported per second. */
const errorEveryMs = 1_000

export function withMemoryFallback(
  redis: Pick<RedisBuckets, 'isReady' | 'consume'>,
  memory: MemoryBuckets,
  onError: (error: Error) => void,
): ConsumeTokens {
  let reportedAt = 0
  const report = (error: Error): void => {
    if (Date.now() - reportedAt < errorEveryMs) return
    reportedAt = Date.now()
    onError(error)
  }

  return async (buckets, tokens) => {
    if (!redis.isReady()) return memory.consume(buckets, tokens)
    try {
      const consumed = await redis.consume(buckets, tokens)
      memory.set(buckets, consumed.fullInUs)
      return consumed
    } catch (error) {
      report(error as Error)
      return memory.consume(buckets, tokens)
    }
  }
}
