// Buckets in the memory of this process: all there is in standalone, and what counts while Redis is away.
import { LRUCache } from 'lru-cache'
import type { Count, Slot } from './rate-limiter.ts'
import { take } from './token-bucket.ts'

export type MemoryBuckets = {
  readonly count: Count
  /** What was counted elsewhere. */
  note(slots: readonly Slot[], fullInUs: readonly number[]): void
}

/** To forget a bucket is to fill it. */
const bucketsMax = 200_000

export function memoryBuckets(nowUs: () => number = () => Date.now() * 1_000): MemoryBuckets {
  const fullAt = new LRUCache<string, number>({ max: bucketsMax })
  const keep = (slots: readonly Slot[], at: readonly number[]): void =>
    slots.forEach(({ name }, index) => fullAt.set(name, at[index] ?? 0))

  const count: Count = async (slots, calls) => {
    const now = nowUs()
    const buckets = slots.map(({ name, rate }) => ({ rate, fullAt: fullAt.get(name) ?? now }))
    const taken = take(buckets, calls, now)
    keep(slots, taken.fullAt)
    return { allowed: taken.allowed, fullInUs: taken.fullAt.map((each) => each - now) }
  }
  const note = (slots: readonly Slot[], fullInUs: readonly number[]): void => {
    const now = nowUs()
    keep(
      slots,
      fullInUs.map((each) => now + each),
    )
  }
  return { count, note }
}
