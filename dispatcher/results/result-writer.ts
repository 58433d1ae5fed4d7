// Results wait here for their transaction, and for a database that is away. What is not written yet was sent all the
// same, so the number of them is bounded: beyond it nothing new is started.
import { batcher } from '#runtime/batcher.ts'
import type { Result } from '../attempt/attempt.ts'
import { retryWithBackoff } from '#runtime/retry.ts'

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

type Unwritten = { readonly result: Result; readonly resolve: () => void }

export function recorder({ write, onWritten, onError }: Recording): Recorder {
  const givingUp = new AbortController()
  async function flush(batch: readonly Unwritten[]): Promise<void> {
    const results = batch.map(({ result }) => result)
    await retryWithBackoff(() => write(results), { signal: givingUp.signal, onError })
    batch.forEach(({ resolve }) => resolve())
    onWritten()
  }
  const unwritten = batcher<Unwritten>({ flush, start: { waitMs: batchWaitMs }, maxItems: batchMax })
  return {
    record: (result) => new Promise((resolve) => unwritten.add({ result, resolve })),
    hasRoom: () => unwritten.size() < unwrittenMax,
    close: async (withinMs) => {
      const timer = setTimeout(() => givingUp.abort(), withinMs)
      await unwritten.flush()
      clearTimeout(timer)
    },
  }
}
