// One interval that checks all calls under way, in place of a timer for each.

/** Called with the time of `performance.now()`. */
type Check = (now: number) => void
export type SharedTimer = {
  /** Repeats the check until the returned function is called. */
  add(check: Check): () => void
  close(): void
}

export function openSharedTimer(everyMs: number): SharedTimer {
  const checks = new Set<Check>()
  const interval = setInterval(() => {
    const now = performance.now()
    checks.forEach((check) => check(now))
  }, everyMs)
  interval.unref()
  return {
    add: (check) => {
      checks.add(check)
      return () => void checks.delete(check)
    },
    close: () => clearInterval(interval),
  }
}
