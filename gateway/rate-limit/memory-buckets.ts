// Token buckets in the memory of this process, where there is no Redis.
import { recentMap } from './recent-map.ts'
import { charge, take, type Bucket, type ChargeTokens, type ConsumeTokens } from './token-bucket.ts'

/** A bucket that is forgotten is full. */
const bucketsMax = 1_000_000

export type MemoryBuckets = { readonly consume: ConsumeTokens; readonly charge: ChargeTokens }

export function memoryBuckets(nowUs: () => number = () => Date.now() * 1_000): MemoryBuckets {
  const known = recentMap<number>(bucketsMax)
  const levelsOf = (buckets: readonly Bucket[], now: number) =>
    buckets.map(({ name, rate }) => ({ rate, fullAt: known.get(name) ?? now }))
  function keep(buckets: readonly Bucket[], fullAt: readonly number[], now: number): number[] {
    buckets.forEach(({ name }, at) => known.set(name, fullAt[at] ?? 0))
    return fullAt.map((each) => each - now)
  }
  return {
    consume: (buckets, tokens) => {
      const now = nowUs()
      const { allowed, fullAt } = take(levelsOf(buckets, now), tokens, now)
      return { allowed, fullInUs: keep(buckets, fullAt, now) }
    },
    charge: (buckets, tokens) => {
      const now = nowUs()
      return { allowed: true, fullInUs: keep(buckets, charge(levelsOf(buckets, now), tokens, now), now) }
    },
  }
}
