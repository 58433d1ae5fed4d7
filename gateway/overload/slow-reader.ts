// A caller that does not read its answer holds what others need: a slot, a connection to the service, memory. One whose
// answer makes no progress is cut off. An answer that waits for the service is not stalled: nothing of it is pending.
import type { Server, Socket } from 'node:net'
import type { SharedTimer } from './shared-timer.ts'

/** How many bytes have left for the caller, and since when no more have although some are pending. */
type Progress = { readonly sentBytes: number; readonly since: number }

export function progressAfter(before: Progress, pendingBytes: number, sentBytes: number, now: number): Progress {
  return pendingBytes === 0 || sentBytes !== before.sentBytes ? { sentBytes, since: now } : before
}

/**
 * Watches every connection of the server, and closes those: whoever waits for the end of the answer sees a caller that
 * disconnected. A watch for each answer would be a closure for each, and hold on to what it answers.
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
