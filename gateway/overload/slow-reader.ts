// A caller that does not read its answer holds what others need: a slot, a connection to the service, memory. One whose
// answer makes no progress is cut off. An answer that waits for the service is not stalled: nothing of it is pending.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SharedTimer } from './shared-timer.ts'

/** How many bytes have left for the caller, and since when no more have although some are pending. */
type Progress = { readonly sentBytes: number; readonly since: number }

export function progressAfter(before: Progress, pendingBytes: number, sentBytes: number, now: number): Progress {
  return pendingBytes === 0 || sentBytes !== before.sentBytes ? { sentBytes, since: now } : before
}

/** Closes the connection; whoever waits for the end of the answer sees a caller that disconnected. */
export function endWhenStalled(timer: SharedTimer, socket: Socket, response: ServerResponse, stalledMs: number): void {
  let progress: Progress = { sentBytes: 0, since: performance.now() }
  const stop = timer.add((now) => {
    const pendingBytes = socket.writableLength
    progress = progressAfter(progress, pendingBytes, socket.bytesWritten - pendingBytes, now)
    if (now - progress.since >= stalledMs) socket.destroy()
  })
  response.once('close', stop)
}
