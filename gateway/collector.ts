// Gathers what is to be told to the service and tells it now and then, in parts, so that no call waits for a write.
// What could not be told is kept for the next time. Bounded: beyond `max`, what is known already is still added to.
import { Fault } from '#contract/fault.ts'

type Options<T> = {
  readonly keyOf: (item: T) => string
  /** Two of the same key as one; `earlier` was there first. */
  readonly merge: (earlier: T, later: T) => T
  readonly max: number
  readonly perReport: number
  readonly everyMs: number
  readonly report: (items: readonly T[]) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly onDropped?: (count: number) => void
}
export type Collector<T> = { add(item: T): void; flush(): Promise<void>; close(): Promise<void> }

export function collector<T>(options: Options<T>): Collector<T> {
  const { keyOf, merge, max, perReport, report, onError, onDropped } = options
  let waiting = new Map<string, T>()
  let underWay = 0
  let dropped = 0
  let failing = false
  let flushing: Promise<void> = Promise.resolve()

  function add(item: T): void {
    const key = keyOf(item)
    const before = waiting.get(key)
    if (before !== undefined) waiting.set(key, merge(before, item))
    // There is room kept for what may come back.
    else if (waiting.size + underWay < max) waiting.set(key, item)
    else dropped += 1
  }

  /** They are older than all that has come since. */
  function takeBack(items: readonly T[]): void {
    const since = waiting
    waiting = new Map(items.map((item) => [keyOf(item), item]))
    underWay = 0
    for (const item of since.values()) add(item)
  }

  async function reportAll(): Promise<void> {
    const items = [...waiting.values()]
    waiting = new Map()
    tellDropped()
    while (items.length > 0) {
      underWay = items.length
      const part = items.splice(0, perReport)
      if (!(await isDone(part))) takeBack([...part, ...items.splice(0)])
    }
    underWay = 0
  }

  async function isDone(part: readonly T[]): Promise<boolean> {
    try {
      await report(part)
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
