// One interval that looks at all calls under way, in place of a timer for each.

type Check = (now: number) => void
export type Watch = {
  /** The check is made again and again until what is given back is called. */
  add(check: Check): () => void
  close(): void
}

export function openWatch(everyMs: number): Watch {
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
