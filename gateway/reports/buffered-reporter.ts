// Gathers what is to be told to the service and tells it now and then, in parts, so that no call waits for a write. Each
// part is a report with an id. One that failed may have been taken all the same, so it is sent again as it was, by the
// same id, until it is answered; all else is added to meanwhile. Bounded: beyond `max`, only what is known already is.
import { randomUUID } from 'node:crypto'
import { Fault } from '#contract/fault.ts'

export type Report<T> = { readonly id: string; readonly items: readonly T[] }
type Options<T> = {
  readonly keyOf: (item: T) => string
  /** Two of the same key as one; `earlier` was there first. */
  readonly merge: (earlier: T, later: T) => T
  readonly max: number
  readonly perReport: number
  readonly everyMs: number
  readonly report: (report: Report<T>) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly onDropped?: (count: number) => void
}
export type Collector<T> = { add(item: T): void; flush(): Promise<void>; close(): Promise<void> }

export function collector<T>(options: Options<T>): Collector<T> {
  const { keyOf, merge, max, perReport, report, onError, onDropped } = options
  const waiting = new Map<string, T>()
  let unanswered: Report<T> | null = null
  let dropped = 0
  let failing = false
  let flushing: Promise<void> = Promise.resolve()

  function add(item: T): void {
    const key = keyOf(item)
    const before = waiting.get(key)
    if (before !== undefined) waiting.set(key, merge(before, item))
    else if (waiting.size + (unanswered?.items.length ?? 0) < max) waiting.set(key, item)
    else dropped += 1
  }

  function nextReport(): Report<T> {
    const entries = [...waiting.entries()].slice(0, perReport)
    for (const [key] of entries) waiting.delete(key)
    return { id: randomUUID(), items: entries.map(([, item]) => item) }
  }

  async function reportAll(): Promise<void> {
    tellDropped()
    // What comes meanwhile is for the next time.
    const reports = Math.ceil(waiting.size / perReport) + (unanswered === null ? 0 : 1)
    for (let sent = 0; sent < reports; sent++) {
      unanswered ??= nextReport()
      if (!(await isDone(unanswered))) return
      unanswered = null
    }
  }

  async function isDone(one: Report<T>): Promise<boolean> {
    try {
      await report(one)
      failing = false
      return true
    } catch (error) {
      // One line for each outage, not for each try.
      if (!failing) onError(error)
      // What is not taken now never will be; to keep it would hold up all the others.
      failing = !isUnacceptable(error)
      return !failing
    }
  }

  function tellDropped(): void {
    if (dropped > 0) onDropped?.(dropped)
    dropped = 0
  }

  const flush = (): Promise<void> => (flushing = flushing.then(reportAll))
  const timer = setInterval(() => void flush(), options.everyMs).unref()
  const close = (): Promise<void> => {
    clearInterval(timer)
    return flush()
  }
  return { add, flush, close }
}

const isUnacceptable = (error: unknown): boolean => error instanceof Fault && error.code === 'validation_failed'
