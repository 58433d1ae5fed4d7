// While Redis is away each gateway has its share of every bucket: as much of it as Redis left, at the rate divided by the
// number of gateways. The bucket stays one number, when it is full; only that each token takes so many times as long.
// Redis is told of it afterwards (gateway/rate-limit/reservation.ts).

import type { Lease } from './reservation.ts'
import type { Consumed } from './token-bucket.ts'

export function consumeAlone(leases: readonly Lease[], tokens: number, gateways: number, nowUs: number): Consumed {
  const waits = leases.map((lease) => waitUs(lease, tokens, gateways, nowUs))
  const allowed = waits.every((wait) => wait <= 0)
  if (allowed) leases.forEach((lease) => spend(lease, tokens, gateways, nowUs))
  return {
    allowed,
    fullInUs: leases.map((lease, at) => toldFullInUs(lease, tokens, allowed, waits[at] ?? 0, gateways, nowUs)),
  }
}

/**
 * A call that costs more than the share can ever hold may come when that is full, and is paid off afterwards: it would
 * never be served otherwise. One that is larger than the whole bucket never is.
 */
function waitUs({ rate, intervalUs, held, fullAtUs }: Lease, tokens: number, gateways: number, nowUs: number): number {
  const wholeUs = rate.burst * intervalUs
  const missingUs = Math.max(0, fullAtUs - nowUs)
  const lacking = tokens - Math.max(0, held)
  if (lacking <= 0) return 0
  if (tokens > rate.burst) return Math.max(1, missingUs)
  return missingUs + Math.min(lacking * intervalUs * gateways, wholeUs) - wholeUs
}

function spend(lease: Lease, tokens: number, gateways: number, nowUs: number): void {
  const lacking = tokens - Math.max(0, lease.held)
  lease.held -= tokens
  if (lacking <= 0) return
  lease.fullAtUs = Math.max(lease.fullAtUs, nowUs) + lacking * lease.intervalUs * gateways
  lease.aloneSinceUs ||= nowUs
  lease.aloneUntilUs = nowUs
}

/** In terms of the whole bucket, as callers of it reckon, such that it says what remains here and how long to wait. */
function toldFullInUs(
  { rate, intervalUs, held, fullAtUs }: Lease,
  tokens: number,
  allowed: boolean,
  wait: number,
  gateways: number,
  nowUs: number,
): number {
  const fitsAt = Math.max(0, (rate.burst - tokens) * intervalUs)
  if (wait > 0) return fitsAt + wait
  const share = rate.burst - Math.max(0, fullAtUs - nowUs) / intervalUs
  const told = Math.max(0, Math.floor((rate.burst - Math.max(0, held) - share / gateways) * intervalUs))
  return allowed ? told : Math.min(told, fitsAt)
}
