// What callers are told of the buckets that they took from.
import { fullInUs, type Lease } from './lease.ts'
import type { Consumed } from './token-bucket.ts'

export const passed = (leases: readonly Lease[], nowUs: number): Consumed => ({
  allowed: true,
  fullInUs: leases.map((lease) => fullInUs(lease, nowUs)),
})

/** `lacking` has a bit for each lease. Those that lack tokens are told such that they say so, and the others do not. */
export function refused(leases: readonly Lease[], tokens: number, lacking: number, nowUs: number): Consumed {
  const told = (lease: Lease, at: number): number => {
    const fitsAt = (lease.rate.burst - tokens) * lease.intervalUs
    if ((lacking & (1 << at)) === 0) return Math.max(0, Math.min(fullInUs(lease, nowUs), fitsAt))
    return Math.max(fullInUs(lease, nowUs), fitsAt + Math.max(1, lease.dryUntilUs - nowUs))
  }
  return { allowed: false, fullInUs: leases.map(told) }
}
