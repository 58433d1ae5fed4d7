// Buffers results for a common transaction, and while the database is away. The deliveries were sent all the same, so
// the number of unwritten results is bounded, and so is the time in which none is written: beyond it no new attempt is
// started.
import { batcher, type Batcher } from '#runtime/batcher.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { retryWithBackoff } from '#runtime/retry.ts'
import { opensAt } from '../queue/circuit-rows.ts'

export type ResultWriter = {
  /** Resolves when the result is written, or was given up by `close`. */
  write(result: AttemptResult): Promise<void>
  hasCapacity(): boolean
  /** How many results are still to be written. */
  size(): number
  /** Writes what is left, retrying for at most so long. */
  close(withinMs: number): Promise<void>
}

/** Of either kind. While one batch waits for the disk the next is prepared. */
const bounds = { maxItems: 50, maxFlushes: 2 }
const deliveredWaitMs = 20
/**
 * A failure is written with its webhook's health and costs many times as much, and many fail at once when receivers
 * hang. None is awaited, as the next try comes seconds later, but of one webhook as many as may open its circuit.
 */
const failedWaitMs = 200
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
    await retryWithBackoff(() => writeRows(results), { signal: givingUp.signal, onError })
    progressAt = clock()
    batch.forEach(({ resolve }) => resolve())
    onWritten()
  }
  const delivered = batcher<Unwritten>({ flush, start: { waitMs: deliveredWaitMs }, ...bounds })
  const failed = failures(flush)
  const size = (): number => delivered.size() + failed.size()
  return {
    write: (result) => {
      if (size() === 0) progressAt = clock()
      const kind = result.outcome.kind === 'delivered' ? delivered : failed
      return new Promise((resolve) => kind.add({ result, resolve }))
    },
    hasCapacity: () => size() === 0 || (size() < unwrittenMax && clock() - progressAt < stalledMaxMs),
    size,
    close: async (withinMs) => {
      const timer = setTimeout(() => givingUp.abort(), withinMs)
      await Promise.all([delivered.flush(), failed.flush()])
      clearTimeout(timer)
    },
  }
}

/** They wait for each other until there are enough of one webhook. */
function failures(flush: (batch: readonly Unwritten[]) => Promise<void>): Batcher<Unwritten> {
  const waiting = new Map<string, number>()
  function flushFailures(batch: readonly Unwritten[]): Promise<void> {
    batch.forEach(({ result }) => waiting.delete(result.delivery.webhookId))
    return flush(batch)
  }
  const batches = batcher<Unwritten>({ flush: flushFailures, start: { waitMs: failedWaitMs }, ...bounds })
  function add(one: Unwritten): void {
    const { webhookId } = one.result.delivery
    const count = (waiting.get(webhookId) ?? 0) + 1
    waiting.set(webhookId, count)
    batches.add(one)
    if (count >= opensAt) void batches.flush()
  }
  return { ...batches, add }
}

const now = (): number => performance.now()
