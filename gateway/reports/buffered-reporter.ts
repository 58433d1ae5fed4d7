// Buffers what the service is to be told and reports it at intervals, so that no call waits for a write. Each report
// has an id. One that failed may have been taken all the same, so it is sent again unchanged, under the same id, until
// it is answered; what is added meanwhile goes into later reports.
import { randomUUID } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { batcher } from '#runtime/batcher.ts'

export type Report<T> = { readonly id: string; readonly items: readonly T[] }
type Options<T> = {
  readonly keyOf: (item: T) => string
  /** Makes one item of two that have the same key. */
  readonly combine: (earlier: T, later: T) => T
  /** How many items are held at most. Beyond it, only items of a known key are taken. */
  readonly maxHeld: number
  readonly maxPerReport: number
  readonly intervalMs: number
  readonly report: (report: Report<T>) => Promise<void>
  readonly onError: (error: unknown) => void
  /** Called at each interval, to add what is due by then. */
  readonly beforeFlush?: () => void
  /** Called at most once per interval, with the number of items dropped since. */
  readonly onDropped?: (count: number) => void
}
export type BufferedReporter<T> = {
  add(item: T): void
  flush(): Promise<void>
  close(): Promise<void>
  /** How many items were dropped, since the start. */
  dropped(): number
}

export function bufferedReporter<T>(options: Options<T>): BufferedReporter<T> {
  const { keyOf, combine, maxHeld, maxPerReport, intervalMs, report, onError, onDropped } = options
  let sent: Report<T> = { id: '', items: [] }
  let dropped = 0
  let told = 0
  let isFailing = false

  const buffer = batcher<T>({
    flush: async (items) => {
      if (sent.items !== items) sent = { id: randomUUID(), items }
      await report(sent)
      isFailing = false
    },
    onError: (error) => {
      // One line per outage, not per attempt.
      if (!isFailing) onError(error)
      // What is refused now will be refused again; keeping it would hold up all the others.
      isFailing = !isUnacceptable(error)
      return isFailing ? 'keep' : 'drop'
    },
    onDropped: (items) => (dropped += items.length),
    start: 'call',
    merge: { keyOf, combine },
    maxItems: maxPerReport,
    maxHeld,
  })

  function flush(): Promise<void> {
    if (dropped > told) onDropped?.(dropped - told)
    told = dropped
    return buffer.flush()
  }

  const timer = setInterval(() => {
    options.beforeFlush?.()
    void flush()
  }, intervalMs).unref()
  const close = (): Promise<void> => {
    clearInterval(timer)
    return flush()
  }
  return { add: (item) => buffer.add(item), flush, close, dropped: () => dropped }
}

export const isUnacceptable = (error: unknown): boolean => error instanceof Fault && error.code === 'validation_failed'
