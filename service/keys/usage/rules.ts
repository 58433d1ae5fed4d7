// Counts of requests by the hour or the day, percentiles of their histograms, and the risks of keys. Pure.
import type { ApiKey } from '#contract/api-keys.ts'
import { latencyBoundsMs, latencyBucketsCount, statusClasses } from '#contract/internal/reports.ts'
import { idleAfterDays, rotationDueWithinDays } from '#contract/key-risks.ts'
import { usageDays, usageHours, type AnsweredCounts, type UsageOverview } from '#contract/usage.ts'

const hourMs = 3_600_000
const spans = {
  hour: { periodMs: hourMs, count: usageHours },
  day: { periodMs: 24 * hourMs, count: usageDays },
} as const
export type Unit = keyof typeof spans
type Span = { readonly from: Date; readonly to: Date; readonly starts: readonly number[] }
type CountsRow = { readonly since: Date; readonly statuses: readonly bigint[]; readonly latency: readonly bigint[] }

/** The starts of the periods, the oldest first and the current one last. */
export function spanUntil(now: Date, unit: Unit): Span {
  const { periodMs, count } = spans[unit]
  const to = (Math.floor(now.getTime() / periodMs) + 1) * periodMs
  const from = to - count * periodMs
  const starts = Array.from({ length: count }, (_, n) => from + n * periodMs)
  return { from: new Date(from), to: new Date(to), starts }
}

/** Every period up to now, also those without requests. `countsOf` gives the shown form of tallies. */
export function usageIn<Counts extends object>(
  { from, to, starts }: Span,
  rows: readonly CountsRow[],
  countsOf: (tallies: Tallies) => Counts,
) {
  const tallies = new Map(
    rows.map(({ since, statuses, latency }): [number, Tallies] => [
      since.getTime(),
      { statuses: statuses.map(Number), latency: latency.map(Number) },
    ]),
  )
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: countsOf([...tallies.values()].reduce(added, noTallies)),
    periods: starts.map((start) => ({
      from: new Date(start).toISOString(),
      ...countsOf(tallies.get(start) ?? noTallies),
    })),
  }
}

/** Statuses in the order of `statusClasses`, others after them; latencies in the order of `latencyBoundsMs`. */
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
    status2xx,
    status3xx,
    status4xx,
    status429,
    status5xx,
    p50Ms: percentileOf(latency, 50),
    p95Ms: percentileOf(latency, 95),
    p99Ms: percentileOf(latency, 99),
  }
}

/**
 * The value of nearest rank, as if the values of a bucket were spread evenly between its bounds. The error is at most
 * the width of a bucket, and a value beyond the last bound counts as that bound. Returns null when nothing was counted.
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

const dayMs = 86_400_000

/** Counts keys with a risk. Revoked and expired keys have none. */
export function keyRisks(keys: readonly ApiKey[], now: Date): UsageOverview['keys'] {
  const active = keys.filter(({ status }) => status === 'active' || status === 'rotation_due')
  const count = (isRisk: (key: ApiKey) => boolean): number => active.filter(isRisk).length
  const idleSince = now.getTime() - idleAfterDays * dayMs
  const dueUntil = now.getTime() + rotationDueWithinDays * dayMs
  return {
    active: active.length,
    neverExpires: count(({ expiresAt }) => expiresAt === null),
    noIpAllowlist: count(({ ipAllowlist }) => ipAllowlist.length === 0),
    // The idle time of an unused key begins when it is made.
    idle: count(({ lastUsedAt, createdAt }) => Date.parse(lastUsedAt ?? createdAt) < idleSince),
    rotationDue: count(({ rotateBy }) => rotateBy !== null && Date.parse(rotateBy) <= dueUntil),
  }
}
