// Keeps what happens a thousand times from being logged a thousand times. Causes are few and known beforehand.

export type ThrottledLog = (cause: string, count: number, log: (count: number) => void) => void

/** Logs the first of each cause at once, then at most one in `everyMs`, with the count of those since the last. */
export function throttledLog(everyMs: number, now: () => number = () => performance.now()): ThrottledLog {
  const logged = new Map<string, { readonly at: number; unlogged: number }>()
  return (cause, count, log) => {
    const last = logged.get(cause)
    if (last !== undefined && now() - last.at < everyMs) {
      last.unlogged += count
      return
    }
    logged.set(cause, { at: now(), unlogged: 0 })
    log(count + (last?.unlogged ?? 0))
  }
}
