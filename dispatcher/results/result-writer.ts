// Buffers results for a common transaction, and while the database is away. The deliveries were sent all the same, so the
// number of unwritten results is bounded, and so is the time in which none is written: beyond it no new attempt is started.
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
const batchWaitMs = 20
/** How many batches are written at a time: while one waits for the disk the next is prepared. */
const batchesMax = 2
const unwrittenMax = 500
/** A database that takes nothing for so long would only be left with more that was sent and is not written. */
const stalledMaxMs = 5_000

export type ResultWriterOptions = {
  /** Gets successes alone, or none. */
  readonly writeRows: (results: readonly AttemptResult[]) => Promise<void>
  readonly onWritten: () => void
  readonly onError: (error: unknown) => void
  /** In ms, of any beginning. */
  readonly clock?: () => number
}

type Unwritten = { readonly result: AttemptResult; readonly resolve: () => void }

export function resultWriter({ writeRows, onWritten, onError, clock = now }: ResultWriterOptions): ResultWriter {
  const givingUp = new AbortController()
  /** When the last batch was written, or there was none to write. */
  let progressAt = clock()
  async function flush(batch: readonly Unwritten[]): Promise<void> {
    const results = batch.map(({ result }) => result)
    for (const alike of Map.groupBy(results, ({ outcome }) => outcome.kind === 'delivered').values())
      await retryWithBackoff(() => writeRows(alike), { signal: givingUp.signal, onError })
    progressAt = clock()
    batch.forEach(({ resolve }) => resolve())
    onWritten()
  }
  const unwritten = batcher<Unwritten>({
    flush,
    start: { waitMs: batchWaitMs },
    ...{ maxItems: batchMax, maxFlushes: batchesMax },
  })
  return {
    write: (result) => {
      if (unwritten.size() === 0) progressAt = clock()
      return new Promise((resolve) => unwritten.add({ result, resolve }))
    },
    hasCapacity: () =>
      unwritten.size() === 0 || (unwritten.size() < unwrittenMax && clock() - progressAt < stalledMaxMs),
    size: unwritten.size,
    close: async (withinMs) => {
      const timer = setTimeout(() => givingUp.abort(), withinMs)
      await unwritten.flush()
      clearTimeout(timer)
    },
  }
}

const now = (): number => performance.now()
