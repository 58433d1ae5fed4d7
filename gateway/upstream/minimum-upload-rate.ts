// How slowly a body may come that is passed on as it comes, with a connection to the service held for it.

/** Judged over windows of time, the first of which is forgiven. */
export const lowestBytesPerSecond = 32 * 1024

export type Pace = { readonly since: number; readonly bytes: number; readonly isForgiven: boolean }

export const paceAt = (now: number): Pace => ({ since: now, bytes: 0, isForgiven: true })

/** Time in which nobody took what had come is not the sender's: its window begins anew. */
export const heldUp = (pace: Pace, bytes: number, now: number): Pace => ({ ...pace, since: now, bytes })

/** Null where the body comes too slowly; `bytes` is how many have come since it began. */
export function paceAfter(pace: Pace, bytes: number, windowMs: number, now: number): Pace | null {
  const passedMs = now - pace.since
  if (passedMs < windowMs) return pace
  const isSlow = (bytes - pace.bytes) * 1_000 < lowestBytesPerSecond * passedMs
  return isSlow && !pace.isForgiven ? null : { since: now, bytes, isForgiven: false }
}
