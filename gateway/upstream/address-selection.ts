// Which addresses a call may go to, and what share of the calls each gets: slow start and ejection. Pure.
import type { Health } from './address-health.ts'

/** An address that has come into rotation gets its full share only after this time: it may be cold, or still fail. */
export const slowStartMs = 5_000
const shareMin = 0.1

/** Far slower than the others: by both of these. */
const slowFactor = 5
const slowByMs = 200
/** An address whose last good probe is older is not compared with. */
const recentMs = 1_500

/**
 * Returns those in rotation; without any, those that are ejected; without these, all that may answer in spite of what
 * their probes say. A service that does not know our signature can answer nothing.
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

/** More than 0, at most 1. */
export function shareOf({ rotation }: Health, now: number): number {
  if (rotation.kind === 'out') return 1
  return Math.min(1, Math.max(shareMin, (now - rotation.from) / slowStartMs))
}

/**
 * By probes alone: all of them ask the same, while callers decide how long their own calls take, and must not be able
 * to have an address ejected. Never true when no other address would be left.
 */
export function isFarSlower(health: Health, others: readonly Health[], now: number): boolean {
  if (!isUsable(health, now) || health.probeMs === null) return false
  const usual = median(
    others.filter((other) => isUsable(other, now) && isRecent(other, now)).map(({ probeMs }) => probeMs),
  )
  return usual !== null && health.probeMs > Math.max(usual * slowFactor, usual + slowByMs)
}

const isRecent = ({ lastReadyAt, failedInARow }: Health, now: number): boolean =>
  failedInARow === 0 && now - lastReadyAt < recentMs

/** Of an even number, the lower one of the middle two; null without any. */
function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}
