// Which addresses a call may go to, and with which share each. Pure.
import type { Health } from './address-health.ts'

/** An address that has come in gets its full share only after this time: it may be cold, or not well after all. */
export const slowStartMs = 5_000
const leastShare = 0.1

/** Far slower than the others: by both of these. */
const slowTimes = 5
const slowByMs = 200
/** What is known of an address whose probes do not come back any more is no measure for others. */
const freshMs = 1_500

/**
 * Those in rotation; where there are none, those that are ejected; where there are none of these either, all that may
 * answer in spite of what their probes say. A service that does not know our signature can answer nothing.
 */
export function candidates<T extends { readonly health: Health }>(members: readonly T[], now: number): T[] {
  const usable = members.filter(({ health }) => isUsable(health, now))
  if (usable.length > 0) return usable
  const ejected = members.filter(({ health }) => health.rotation.kind === 'in')
  if (ejected.length > 0) return ejected
  return members.filter(
    ({ health: { rotation } }) => rotation.kind === 'out' && rotation.reason !== 'signature_refused',
  )
}

export const isUsable = ({ rotation }: Health, now: number): boolean => rotation.kind === 'in' && rotation.from <= now

/** Between the least share and 1. */
export function shareOf({ rotation }: Health, now: number): number {
  if (rotation.kind === 'out') return 1
  return Math.min(1, Math.max(leastShare, (now - rotation.from) / slowStartMs))
}

/**
 * Judged by probes alone: all of them ask the same, while callers decide how long their own calls take, and must not be
 * able to have an address ejected. Never true where no other address would be left.
 */
export function isFarSlower(health: Health, others: readonly Health[], now: number): boolean {
  if (!isUsable(health, now) || health.probeMs === null) return false
  const usual = middle(
    others.filter((other) => isUsable(other, now) && isFresh(other, now)).map(({ probeMs }) => probeMs),
  )
  return usual !== null && health.probeMs > Math.max(usual * slowTimes, usual + slowByMs)
}

const isFresh = ({ lastReadyAt, failedInARow }: Health, now: number): boolean =>
  failedInARow === 0 && now - lastReadyAt < freshMs

/** The lower one of two. */
function middle(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}
