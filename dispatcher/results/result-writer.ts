// Results wait here for their transaction, and for a database that is away. What is not written yet was sent all the
// same, so the number of them is bounded: beyond it nothing new is started.
import { inBatches } from '#runtime/batcher.ts'
import type { Result } from '../attempt/attempt.ts'
import { insist } from '#runtime/retry.ts'

export type Recorder = {
  /** Resolves when the result is written, or was given up at the end. */
  record(result: Result): Promise<void>
  hasRoom(): boolean
  /** Writes what is left, trying for at most so long. */
  close(withinMs: number): Promise<void>
}

const batchMax = 50
const batchWaitMs = 10
const unwrittenMax = 500

export type Recording = {
  readonly write: (results: readonly Result[]) => Promise<void>
  readonly onWritten: () => void
  readonly onError: (error: unknown) => void
}

export function recorder({ write, onWritten, onError }: Recording): Recorder {
  const givingUp = new AbortController()
  const batches = inBatches<{ result: Result; resolve: () => void }>(batchMax, batchWaitMs, async (waiting) => {
    await insist(() => write(waiting.map(({ result }) => result)), givingUp.signal, onError)
    waiting.forEach(({ resolve }) => resolve())
    onWritten()
  })
  return {
    record: (result) => new Promise((resolve) => batches.add({ result, resolve })),
    hasRoom: () => batches.size() < unwrittenMax,
    close: async (withinMs) => {
      const timer = setTimeout(() => givingUp.abort(), withinMs)
      await batches.settle()
      clearTimeout(timer)
    },
  }
}
