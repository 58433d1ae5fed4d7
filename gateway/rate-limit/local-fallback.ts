// While Redis is away a gateway counts by itself and lets through its share of every bucket, which is as much of it as
// Redis had left, at the rate divided by the number of gateways. The bucket stays one number, when it is full; only
// that each token takes so many times as long. Pure: reserved-buckets.ts takes the tokens, and Redis is told of them
// afterwards.

/** The part of a reservation (reservation.ts) that this rests on. */
type Share = {
  readonly rate: { readonly burst: number }
  readonly intervalUs: number
  readonly available: number
  readonly fullAtUs: number
}

/**
 * How long the tokens are lacking; 0 or less: they are there. A call that costs more than the share can ever hold may
 * come when the share is full, and is paid off afterwards: it would never be served otherwise. One that is larger than
 * the whole bucket is never served.
 */
export function localWaitUs(share: Share, tokens: number, gateways: number, nowUs: number): number {
  const { rate, intervalUs, available, fullAtUs } = share
  const wholeUs = rate.burst * intervalUs
  const missingUs = Math.max(0, fullAtUs - nowUs)
  const lacking = tokens - Math.max(0, available)
  if (lacking <= 0) return 0
  if (tokens > rate.burst) return Math.max(1, missingUs)
  return missingUs + Math.min(lacking * intervalUs * gateways, wholeUs) - wholeUs
}

/** The call that callers are told of: how many tokens, and how long it has to wait; 0 or less: it has passed. */
type LocalCall = { readonly tokens: number; readonly allowed: boolean; readonly waitUs: number }

/** When callers are told that the whole bucket is full: it says what remains here, and how long to wait. */
export function localFullInUs(share: Share, call: LocalCall, gateways: number, nowUs: number): number {
  const { rate, intervalUs, available, fullAtUs } = share
  const fitsAt = Math.max(0, (rate.burst - call.tokens) * intervalUs)
  if (call.waitUs > 0) return fitsAt + call.waitUs
  const left = rate.burst - Math.max(0, fullAtUs - nowUs) / intervalUs
  const told = Math.max(0, Math.floor((rate.burst - Math.max(0, available) - left / gateways) * intervalUs))
  return call.allowed ? told : Math.min(told, fitsAt)
}
