// What a histogram and counts by status say, as they are shown. Pure.
import type { AnsweredCounts } from '#contract/usage.ts'
import { latencyBoundsMs, latencyBucketsCount, statusClasses } from '#contract/internal/reports.ts'

/** In the order of `statusClasses`, after which others may come, and of `latencyBoundsMs`. */
export type Tallies = { readonly statuses: readonly number[]; readonly latency: readonly number[] }

export const noTallies: Tallies = {
  statuses: statusClasses.map(() => 0),
  latency: Array.from({ length: latencyBucketsCount }, () => 0),
}

export const added = (one: Tallies, other: Tallies): Tallies => ({
  statuses: sums(one.statuses, other.statuses),
  latency: sums(one.latency, other.latency),
})

const sums = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, n) => (one[n] ?? 0) + (other[n] ?? 0))

export function answeredCounts({ statuses, latency }: Tallies): AnsweredCounts {
  const [status2xx = 0, status3xx = 0, status4xx = 0, status429 = 0, status5xx = 0] = statuses
  return {
    requests: statuses.reduce((sum, count) => sum + count, 0),
    ...{ status2xx, status3xx, status4xx, status429, status5xx },
    p50Ms: percentileOf(latency, 50),
    p95Ms: percentileOf(latency, 95),
    p99Ms: percentileOf(latency, 99),
  }
}

/**
 * The value of nearest rank, as if a bucket's values lay evenly between its bounds. It is off by a bucket's width at most,
 * and what is longer than the last bound counts as that. Returns null where nothing was counted.
 */
export function percentileOf(counts: readonly number[], percent: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil((total * percent) / 100))
  let below = 0
  for (const [n, count] of counts.entries()) {
    if (below + count >= rank) return rounded(withinBucket(n, (rank - below) / count))
    below += count
  }
  throw new Error('No bucket holds the rank')
}

function withinBucket(n: number, share: number): number {
  const lower = latencyBoundsMs[n - 1] ?? 0
  const upper = latencyBoundsMs[n] ?? lower
  return lower + (upper - lower) * share
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
