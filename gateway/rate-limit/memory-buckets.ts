// Token buckets in the memory of this process, where there is no Redis.
import { recentMap } from './recent-map.ts'
import { take, type ConsumeTokens } from './token-bucket.ts'

/** A bucket that is forgotten is full. */
const bucketsMax = 1_000_000

export function memoryBuckets(nowUs: () => number = () => Date.now() * 1_000): ConsumeTokens {
  const fullAt = recentMap<number>(bucketsMax)
  return (buckets, tokens) => {
    const now = nowUs()
    const levels = buckets.map(({ name, rate }) => ({ rate, fullAt: fullAt.get(name) ?? now }))
    const taken = take(levels, tokens, now)
    buckets.forEach(({ name }, at) => fullAt.set(name, taken.fullAt[at] ?? 0))
    return { allowed: taken.allowed, fullInUs: taken.fullAt.map((each) => each - now) }
  }
}
