// Gathers single items into batches. What is held is bounded, items of the same key may be merged, and one batch is
// flushed at a time, or as many as are said. A batch that must not be lost has its `flush` wrapped in
// `retryWithBackoff`, or is kept in `onError`.

export type Batcher<T> = {
  /** Takes all of these before a flush starts. Those that find no room are dropped. */
  add(...items: readonly T[]): void
  /** How many items wait or are being flushed. */
  size(): number
  /** Resolves when what waits now has been flushed, or was kept after a failure. */
  flush(): Promise<void>
}

/**
 * What starts a flush: an item at once; the end of the running task; a full batch, or the first item that has waited
 * for `waitMs`; or nothing but a call of `flush`, which leaves what is added meanwhile for the next call.
 */
type Start = 'item' | 'microtask' | 'call' | { readonly waitMs: number }

export type BatcherOptions<T> = {
  /** Gets a batch, the items that have waited longest first. */
  readonly flush: (items: readonly T[]) => Promise<void>
  readonly start: Start
  /** Of one batch. */
  readonly maxItems?: number
  /** How many batches are flushed at a time: 1 when not given. */
  readonly maxFlushes?: number
  /** How many items may wait, not counting those that are being flushed. */
  readonly maxWaiting?: number
  /** How many items may wait or be in a flush. */
  readonly maxHeld?: number
  /** Items of the same key become one while they wait. They always find room. */
  readonly merge?: Merge<T>
  readonly onDropped?: (items: readonly T[]) => void
  /**
   * `keep`: the next flush begins with this batch, unchanged (the same array). Without `onError`, `flush` must not
   * reject.
   */
  readonly onError?: (error: unknown, items: readonly T[]) => 'keep' | 'drop'
}
type Merge<T> = { readonly keyOf: (item: T) => unknown; readonly combine: (earlier: T, later: T) => T }

export function batcher<T>(options: BatcherOptions<T>): Batcher<T> {
  const { start, onDropped } = options
  const { maxItems = Infinity, maxFlushes = 1, maxWaiting = Infinity, maxHeld = Infinity } = options
  const waiting = mergingQueue(options.merge ?? neverMerged<T>())
  const batches = batchesOf(waiting, maxItems)
  const { size } = batches
  let flushing = 0
  const runs = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function add(...items: readonly T[]): void {
    const dropped = items.filter((item) => !waiting.add(item, hasRoom()))
    if (dropped.length > 0) onDropped?.(dropped)
    startWhenDue()
  }

  const hasRoom = (): boolean => waiting.size() < maxWaiting && size() < maxHeld

  function startWhenDue(): void {
    if (flushing >= maxFlushes || start === 'call') return
    if (start === 'item' || waiting.size() >= maxItems) startNow()
    else if (start === 'microtask') queueMicrotask(startNow)
    else timer ??= setTimeout(startNow, start.waitMs)
  }

  function startNow(): void {
    clearTimeout(timer)
    timer = undefined
    if (flushing >= maxFlushes) return
    const run = flushBatches(start === 'call' ? size() : Infinity).finally(() => runs.delete(run))
    runs.add(run)
  }

  /** Flushes until nothing waits, or so many items are done, or a batch is kept. */
  async function flushBatches(count: number): Promise<void> {
    flushing++
    try {
      for (let done = 0; done < count && batches.hasMore();) {
        const batch = batches.take()
        if ((await flushBatch(batch, options)) === 'keep') return batches.keep(batch)
        done += batch.length
        batches.drop(batch)
      }
    } finally {
      flushing--
    }
  }

  async function flush(): Promise<void> {
    if (runs.size > 0) await Promise.all(runs)
    startNow()
    await Promise.all(runs)
  }

  return { add, size, flush }
}

/** What is in a flush is held until it is dropped. A batch that is kept is the next one. */
function batchesOf<T>(waiting: { size(): number; take(max: number): T[] }, maxItems: number) {
  const kept: (readonly T[])[] = []
  let taken = 0
  return {
    size: () => waiting.size() + taken,
    hasMore: () => kept.length > 0 || waiting.size() > 0,
    take(): readonly T[] {
      const again = kept.shift()
      if (again !== undefined) return again
      const batch = waiting.take(maxItems)
      taken += batch.length
      return batch
    },
    keep(batch: readonly T[]): void {
      kept.unshift(batch)
    },
    drop(batch: readonly T[]): void {
      taken -= batch.length
    },
  }
}

async function flushBatch<T>(
  items: readonly T[],
  { flush, onError }: BatcherOptions<T>,
): Promise<'done' | 'keep' | 'drop'> {
  try {
    await flush(items)
    return 'done'
  } catch (error) {
    if (onError === undefined) throw error
    return onError(error, items)
  }
}

/** First in, first out; an item whose key is there already joins that one in its place. */
function mergingQueue<T>({ keyOf, combine }: Merge<T>) {
  const items = new Map<unknown, T>()
  return {
    size: () => items.size,
    /** Returns false when the key is new and there is no room for it. */
    add(item: T, hasRoom: boolean): boolean {
      const key = keyOf(item)
      const earlier = items.get(key)
      if (earlier === undefined && !hasRoom) return false
      items.set(key, earlier === undefined ? item : combine(earlier, item))
      return true
    },
    take(max: number): T[] {
      const taken = items.entries().take(max).toArray()
      for (const [key] of taken) items.delete(key)
      return taken.map(([, item]) => item)
    },
  }
}

const neverMerged = <T>(): Merge<T> => ({ keyOf: () => Symbol(), combine: (_earlier, later) => later })
