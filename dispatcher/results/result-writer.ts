// Buffers results for a common transaction, and while the database is away. The deliveries were sent all the same, so the
// number of unwritten results is bounded: beyond it no new attempt is started.
import { batcher } from '#runtime/batcher.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { retryWithBackoff } from '#runtime/retry.ts'

export type ResultWriter = {
  /** Resolves when the result is written, or was given up by `close`. */
  write(result: AttemptResult): Promise<void>
  hasCapacity(): boolean
  /** How many results are still to be written. */
  size(): number
  /** Writes what is left, retrying for at most so long. */
  close(withinMs: number): Promise<void>
}

const batchMax = 50
const batchWaitMs = 10
const unwrittenMax = 500

export type ResultWriterOptions = {
  readonly writeRows: (results: readonly AttemptResult[]) => Promise<void>
  readonly onWritten: () => void
  readonly onError: (error: unknown) => void
}

type Unwritten = { readonly result: AttemptResult; readonly resolve: () => void }

export function resultWriter({ writeRows, onWritten, onError }: ResultWriterOptions): ResultWriter {
  const givingUp = new AbortController()
  async function flush(batch: readonly Unwritten[]): Promise<void> {
    const results = batch.map(({ result }) => result)
    await retryWithBackoff(() => writeRows(results), { signal: givingUp.signal, onError })
    batch.forEach(({ resolve }) => resolve())
    onWritten()
  }
  const unwritten = batcher<Unwritten>({ flush, start: { waitMs: batchWaitMs }, maxItems: batchMax })
  return {
    write: (result) => new Promise((resolve) => unwritten.add({ result, resolve })),
    hasCapacity: () => unwritten.size() < unwrittenMax,
    size: unwritten.size,
    close: async (withinMs) => {
      const timer = setTimeout(() => givingUp.abort(), withinMs)
      await unwritten.flush()
      clearTimeout(timer)
    },
  }
}
