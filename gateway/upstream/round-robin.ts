// Smooth weighted round-robin: over time each gets its share, and its turns are spread evenly among those of the others.
export type Turns<T> = { next(from: readonly T[], shareOf: (item: T) => number): T | undefined }

export function turns<T extends object>(): Turns<T> {
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
