// Work begun at a fixed rate, whether or not what was begun before has ended: what waits shows as latency, not as a
// lower rate.
import { setTimeout as after } from 'node:timers/promises'

const tickMs = 2

type Rate = {
  readonly perSecond: number
  readonly seconds: number
  /** Ends it sooner. */
  readonly until?: AbortSignal
}

/** Rejects with the first failure. */
export async function pace({ perSecond, seconds, until }: Rate, work: () => Promise<unknown>): Promise<void> {
  const total = perSecond * seconds
  const startedAt = performance.now()
  const begun: Promise<unknown>[] = []
  while (begun.length < total && !until?.aborted) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
    while (begun.length < due) begun.push(work())
    await after(tickMs)
  }
  await Promise.all(begun)
}
