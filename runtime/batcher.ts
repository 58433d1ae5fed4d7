// Gathers what comes singly into batches that are worth a transaction: at most `max` items or `waitMs` of waiting, one
// batch at a time. `flush` must not reject.

export type Batches<T> = {
  add(item: T): void
  /** Those that wait and those that are being flushed. */
  size(): number
  /** Resolves when nothing waits any more; does not wait for more to come. */
  settle(): Promise<void>
}

export function inBatches<T>(max: number, waitMs: number, flush: (items: readonly T[]) => Promise<void>): Batches<T> {
  const waiting: T[] = []
  let flushing = 0
  let timer: NodeJS.Timeout | undefined
  let draining: Promise<void> | null = null

  function start(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) draining ??= drain()
    return draining ?? Promise.resolve()
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const items = waiting.splice(0, max)
      flushing = items.length
      await flush(items)
      flushing = 0
    }
    // At once: what is added from here on must start the next drain itself.
    draining = null
  }

  return {
    add(item) {
      waiting.push(item)
      if (draining !== null) return
      if (waiting.length >= max) void start()
      else timer ??= setTimeout(() => void start(), waitMs)
    },
    size: () => waiting.length + flushing,
    settle: async () => void (await start()),
  }
}
