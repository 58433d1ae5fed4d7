// Token buckets, each kept as one number: when it will be full again (GCRA). A call takes from all its buckets or from
// none. Times are whole microseconds, so that gateway/rate-limit/redis-script.ts, which says the same in Lua, comes to the same.

/** `burst` tokens at most; `perMinute` come back in a minute. */
export type Rate = { readonly perMinute: number; readonly burst: number }
export type Bucket = { readonly rate: Rate; readonly fullAt: number }
type Taken = { readonly allowed: boolean; readonly fullAt: readonly number[] }

const minuteUs = 60_000_000
const secondUs = 1_000_000

/** From an empty bucket to its first token. */
export const intervalUs = ({ perMinute }: Rate): number => Math.max(1, Math.round(minuteUs / perMinute))

/** Less than no calls gives some back, to no more than a full bucket. */
export function take(buckets: readonly Bucket[], calls: number, now: number): Taken {
  const filling = buckets.map(({ rate, fullAt }) => ({ rate, fullAt: Math.max(fullAt, now) }))
  const allowed = filling.every(({ rate, fullAt }) => shortUs(rate, fullAt - now, calls) <= 0)
  const spent = (rate: Rate): number => (allowed ? calls * intervalUs(rate) : 0)
  return { allowed, fullAt: filling.map(({ rate, fullAt }) => Math.max(now, fullAt + spent(rate))) }
}

/** What callers are told of a bucket. */
export type Standing = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

export const standing = (rate: Rate, fullInUs: number): Standing => ({
  limit: rate.perMinute,
  remaining: Math.max(0, Math.floor(rate.burst - fullInUs / intervalUs(rate))),
  resetSeconds: Math.ceil(fullInUs / secondUs),
})

export const lacks = (rate: Rate, fullInUs: number, calls: number): boolean => shortUs(rate, fullInUs, calls) > 0

/** Until so many calls fit; for more than ever fit, until the bucket is full. */
export const waitSeconds = (rate: Rate, fullInUs: number, calls: number): number =>
  Math.max(1, Math.ceil(shortUs(rate, fullInUs, Math.min(calls, rate.burst)) / secondUs))

const shortUs = (rate: Rate, fullInUs: number, calls: number): number =>
  fullInUs + (calls - rate.burst) * intervalUs(rate)
