// Callers that are too slow are cut off, whether they do not send or do not read.
//
// A caller that does not read its answer holds what others need: a slot, a connection to the service, memory. One whose
// answer makes no progress is cut off. An answer that waits for the service is not stalled: nothing of it is pending.
import type { Server, Socket } from 'node:net'

/** How many bytes have left for the caller, and since when no more have although some are pending. */
type Progress = { readonly sentBytes: number; readonly since: number }

export function progressAfter(before: Progress, pendingBytes: number, sentBytes: number, now: number): Progress {
  return pendingBytes === 0 || sentBytes !== before.sentBytes ? { sentBytes, since: now } : before
}

/**
 * Watches every connection of the server, and closes those: the part that waits for the end of the answer sees a caller
 * that disconnected. A watch for each answer would be a closure for each, and hold on to what it answers.
 */
export function endStalled(timer: SharedTimer, server: Server, stalledMs: number): void {
  server.on('connection', (socket: Socket) => {
    let progress: Progress = { sentBytes: 0, since: performance.now() }
    const stop = timer.add((now) => {
      const pendingBytes = socket.writableLength
      progress = progressAfter(progress, pendingBytes, socket.bytesWritten - pendingBytes, now)
      if (now - progress.since >= stalledMs) socket.destroy()
    })
    socket.once('close', stop)
  })
}

// A large body may arrive no more slowly than this while it is forwarded, with a connection to the service held for it.
// Its rate is measured over windows of time, the first of which is free.

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

// One interval that checks all calls under way, in place of a timer for each.

/** Called with the time of `performance.now()`. */
type Check = (now: number) => void
export type SharedTimer = {
  /** Repeats the check until the returned function is called. */
  add(check: Check): () => void
  close(): void
}

/** After a pause of this process what callers have sent meanwhile is yet to be read: a late check would blame them. */
const lateFactor = 2

export function openSharedTimer(everyMs: number, clock = () => performance.now()): SharedTimer {
  const checks = new Set<Check>()
  let before = clock()
  const interval = setInterval(() => {
    const now = clock()
    const isLate = now - before > lateFactor * everyMs
    before = now
    if (!isLate) checks.forEach((check) => check(now))
  }, everyMs)
  interval.unref()
  return {
    add: (check) => {
      checks.add(check)
      return () => {
        checks.delete(check)
      }
    },
    close: () => clearInterval(interval),
  }
}
