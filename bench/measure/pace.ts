// Work begun at a fixed rate, whether or not what was begun before has ended: what waits shows as latency, not as a
// lower rate. Only where a bound is given does the rate fall: what would be one too many under way is left out.
import { setTimeout as after } from 'node:timers/promises'

type Rate = {
  readonly perSecond: number
  readonly seconds: number
  readonly underWayMax?: number
  /** Ends it sooner. */
  readonly until?: AbortSignal
}

const tickMs = 2

/** Rejects with the first failure. */
export async function pace(
  { perSecond, seconds, underWayMax = Infinity, until }: Rate,
  work: () => Promise<unknown>,
): Promise<void> {
  const total = perSecond * seconds
  const startedAt = performance.now()
  const begun: Promise<unknown>[] = []
  let [passed, underWay] = [0, 0]
  while (passed < total && !until?.aborted) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
    for (; passed < due; passed += 1) {
      if (underWay >= underWayMax) continue
      underWay += 1
      begun.push(work().finally(() => (underWay -= 1)))
    }
    await after(tickMs)
  }
  await Promise.all(begun)
}
