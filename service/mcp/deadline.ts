// One HTTP exchange does nothing more when its client has gone, or after 25 s. Who called for a change is told then that it
// may have been made, and how to find out.
import { Fault } from '#contract/faults/fault.ts'

/**
 * Below the 30 s that clients and balancers commonly wait for an answer, so that it is ours that arrives; above the 15 s
 * that a statement may run (`prisma/pool.ts`), so that a slow one ends with its own reason.
 */
export const exchangeMsMax = 25_000

export type Deadline = {
  /** Aborted when the client has gone or the time is over. */
  readonly signal: AbortSignal
  /** The connection is closed: the client has its answer, or has gone without it. */
  close(isAnswered: boolean): void
  /** Resolves as `work` does, or rejects as soon as the signal is aborted. */
  race<T>(work: () => Promise<T>): Promise<T>
}

/** Must be closed in the end. */
export function openDeadline(ms: number): Deadline {
  const abort = new AbortController()
  const { signal } = abort
  const aborted = Promise.withResolvers<never>()
  // Nothing may be racing when the client goes: then nobody else would handle the rejection.
  aborted.promise.catch(() => {})
  const end = (why: Fault) => {
    // First: what the work itself throws when it is aborted comes after it.
    aborted.reject(why)
    abort.abort(why)
  }
  const timer = setTimeout(() => end(tooSlow(ms)), ms)
  return {
    signal,
    close: (isAnswered) => {
      clearTimeout(timer)
      if (!isAnswered) end(disconnected)
    },
    race: async (work) => {
      signal.throwIfAborted()
      return Promise.race([work(), aborted.promise])
    },
  }
}

/** One for all: nobody is told, and each answer ends with it. A new one would note where it was made, which takes time. */
const disconnected = new Fault('timeout', 'The client has disconnected.')

const tooSlow = (ms: number): Fault =>
  new Fault('timeout', `The call was stopped after ${ms / 1_000} s.`, {
    hint: 'A change may have been made all the same. Repeat the call with the same idempotencyKey: if the change was made, you get its result and nothing happens twice. Without a key, read the object before you repeat the change.',
  })

/** For the entries of a batch that had not begun. */
export const notStarted = (): Fault =>
  new Fault('timeout', 'This call was not started: the batch took too long. Nothing was done; send it again.')
