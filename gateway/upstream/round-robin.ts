// Smooth weighted round-robin: over time each item gets its share, spread evenly among the others.
export type RoundRobin<T> = { next(from: readonly T[], shareOf: (item: T) => number): T | undefined }

export function roundRobin<T extends object>(): RoundRobin<T> {
  const credits = new WeakMap<T, number>()

  return {
    next(from, shareOf) {
      let total = 0
      let best: T | undefined
      for (const item of from) {
        const share = shareOf(item)
        total += share
        credits.set(item, (credits.get(item) ?? 0) + share)
        if (best === undefined || (credits.get(item) ?? 0) > (credits.get(best) ?? 0)) best = item
      }
      if (best !== undefined) credits.set(best, (credits.get(best) ?? 0) - total)
      return best
    },
  }
}
