// The token bucket of the gateway, kept as one number: when it will be full again (GCRA). A call takes from all its
// buckets or from none. Times are whole microseconds, as in the script that does the same in Redis (redis-script.ts).
// Without Redis all buckets are here, in the memory of this process.
import type { BucketState } from '../request/request-context.ts'
import { twoGenerationCache } from './two-generation-cache.ts'

/** `burst` tokens at most; `perMinute` come back in a minute. */
export type Rate = { readonly perMinute: number; readonly burst: number }
/** A bucket in a store, under a name of its own. */
export type Bucket = { readonly name: string; readonly rate: Rate }
/** `fullInUs` has one entry per bucket, whether or not the tokens were taken. */
export type Consumed = { readonly allowed: boolean; readonly fullInUs: readonly number[] }
/** What a store of buckets does; a promise only where it has to wait. A negative number of tokens gives some back. */
export type ConsumeTokens = (buckets: readonly Bucket[], tokens: number) => Consumed | Promise<Consumed>

/**
 * Takes tokens that a call has cost, whether they are there or not: a bucket is overdrawn by `overdraftMax` at most.
 */
export type ChargeTokens = (buckets: readonly Bucket[], tokens: number) => Consumed

export const overdraftMax = 20

type BucketLevel = { readonly rate: Rate; readonly fullAt: number }
type Taken = { readonly allowed: boolean; readonly fullAt: readonly number[] }

const minuteUs = 60_000_000
const secondUs = 1_000_000

/** From an empty bucket to its first token. */
export const intervalUs = ({ perMinute }: Rate): number => Math.max(1, Math.round(minuteUs / perMinute))

/** A negative number of tokens gives some back, to no more than a full bucket. */
export function take(buckets: readonly BucketLevel[], tokens: number, now: number): Taken {
  const levels = buckets.map(({ rate, fullAt }) => ({ rate, fullAt: withinBurst(rate, fullAt, now) }))
  const allowed = levels.every(({ rate, fullAt }) => lackingUs(rate, fullAt - now, tokens) <= 0)
  const spentUs = (rate: Rate): number => (allowed ? tokens * intervalUs(rate) : 0)
  return { allowed, fullAt: levels.map(({ rate, fullAt }) => Math.max(now, fullAt + spentUs(rate))) }
}

/** As `take`, whether the tokens are there or not. Returns when each bucket is full. */
const charge = (buckets: readonly BucketLevel[], tokens: number, now: number): number[] =>
  buckets.map(({ rate, fullAt }) => withinBurst(rate, Math.max(fullAt, now) + tokens * intervalUs(rate), now))

/** A debt under a former, slower rate is no more than the largest debt of a bucket of this one. */
const withinBurst = (rate: Rate, fullAt: number, now: number): number =>
  Math.min(Math.max(fullAt, now), now + (rate.burst + overdraftMax) * intervalUs(rate))

/** The bucket as callers are told of it. */
export function bucketState(rate: Rate, fullInUs: number): BucketState {
  const remaining = Math.max(0, Math.floor(rate.burst - fullInUs / intervalUs(rate)))
  // A full bucket has no next token.
  const nextInUs = Math.min(fullInUs, lackingUs(rate, fullInUs, remaining + 1))
  return {
    limit: rate.perMinute,
    remaining,
    nextSeconds: Math.ceil(nextInUs / secondUs),
    resetSeconds: Math.ceil(fullInUs / secondUs),
  }
}

export const lacks = (rate: Rate, fullInUs: number, tokens: number): boolean => lackingUs(rate, fullInUs, tokens) > 0

/** Until the bucket has so many tokens or, for more than it can hold, until it is full. At least 1. */
export const waitSeconds = (rate: Rate, fullInUs: number, tokens: number): number =>
  Math.max(1, Math.ceil(lackingUs(rate, fullInUs, Math.min(tokens, rate.burst)) / secondUs))

const lackingUs = (rate: Rate, fullInUs: number, tokens: number): number =>
  fullInUs + (tokens - rate.burst) * intervalUs(rate)

/** A bucket that is forgotten counts as full. */
const bucketsMax = 1_000_000

/** Answers at once. */
export type MemoryBuckets = { readonly consume: ChargeTokens; readonly charge: ChargeTokens }

export function memoryBuckets(nowUs: () => number = () => Date.now() * 1_000): MemoryBuckets {
  const known = twoGenerationCache<number>(bucketsMax)
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
