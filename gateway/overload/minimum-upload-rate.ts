// How slowly a large body may arrive while it is forwarded, with a connection to the service held for it. Its rate is
// measured over windows of time, the first of which is free.

export const lowestBytesPerSecond = 32 * 1024

/** `bytes` had arrived at `since`, when the window began. */
export type UploadWindow = { readonly since: number; readonly bytes: number; readonly isFirst: boolean }

export const firstWindow = (now: number): UploadWindow => ({ since: now, bytes: 0, isFirst: true })

/** While the service does not take what has arrived, the sender is not slow: its window begins anew. */
export const restarted = (window: UploadWindow, bytes: number, now: number): UploadWindow => ({
  ...window,
  since: now,
  bytes,
})

/** Returns null when the body arrives too slowly. `bytes` is how many have arrived in all. */
export function windowAfter(window: UploadWindow, bytes: number, windowMs: number, now: number): UploadWindow | null {
  const passedMs = now - window.since
  if (passedMs < windowMs) return window
  const isSlow = (bytes - window.bytes) * 1_000 < lowestBytesPerSecond * passedMs
  return isSlow && !window.isFirst ? null : { since: now, bytes, isFirst: false }
}
