// Counts by the hour or by the day, as they are stored, and as they are shown: every period, those without any as well.
// Pure.
import { usageDays, usageHours } from '#contract/usage.ts'
import { added, noTallies, type Tallies } from './answered-counts.ts'

const hourMs = 3_600_000
const spans = {
  hour: { periodMs: hourMs, count: usageHours },
  day: { periodMs: 24 * hourMs, count: usageDays },
} as const
export type Unit = keyof typeof spans
type Span = { readonly from: Date; readonly to: Date; readonly starts: readonly number[] }
type Row = { readonly since: Date; readonly statuses: readonly bigint[]; readonly latency: readonly bigint[] }

/** The oldest first, the current one last. */
export function spanUntil(now: Date, unit: Unit): Span {
  const { periodMs, count } = spans[unit]
  const to = (Math.floor(now.getTime() / periodMs) + 1) * periodMs
  const from = to - count * periodMs
  const starts = Array.from({ length: count }, (_, n) => from + n * periodMs)
  return { from: new Date(from), to: new Date(to), starts }
}

/** `countsOf`: how tallies are shown. */
export function usageIn<Counts extends object>(
  { from, to, starts }: Span,
  rows: readonly Row[],
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
