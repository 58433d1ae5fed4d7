// Token buckets in the memory of this process: all there is in standalone, and what counts while Redis is away.
import { LRUCache } from 'lru-cache'
import { take, type Bucket, type ConsumeTokens } from './token-bucket.ts'

export type MemoryBuckets = {
  readonly consume: ConsumeTokens
  /** Takes over what was counted elsewhere. */
  set(buckets: readonly Bucket[], fullInUs: readonly number[]): void
}

/** A bucket that is forgotten is full. */
const bucketsMax = 200_000

export function memoryBuckets(nowUs: () => number = () => Date.now() * 1_000): MemoryBuckets {
  const fullAt = new LRUCache<string, number>({ max: bucketsMax })
  const store = (buckets: readonly Bucket[], at: readonly number[]): void =>
    buckets.forEach(({ name }, index) => fullAt.set(name, at[index] ?? 0))

  const consume: ConsumeTokens = async (buckets, tokens) => {
    const now = nowUs()
    const levels = buckets.map(({ name, rate }) => ({ rate, fullAt: fullAt.get(name) ?? now }))
    const taken = take(levels, tokens, now)
    store(buckets, taken.fullAt)
    return { allowed: taken.allowed, fullInUs: taken.fullAt.map((each) => each - now) }
  }
  const set: MemoryBuckets['set'] = (buckets, fullInUs) => {
    const now = nowUs()
    store(
      buckets,
      fullInUs.map((each) => now + each),
    )
  }
  return { consume, set }
}
