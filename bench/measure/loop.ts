// Repeats work with a fixed concurrency, for a time or a number of times: the closed loop behind figures "per second".
import { quantile } from '../report/figures.ts'

export type Looped = {
  readonly done: number
  readonly seconds: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** Of the process that ran the loop. */
  readonly cpuMicros: number
}
export type Bounds = {
  readonly concurrency: number
  readonly seconds: number
  /** At most so often. */ readonly count?: number
}

/** Rejects with the first failure: a figure over answers that are wrong would mean nothing. */
export async function loop(
  { concurrency, seconds, count = Infinity }: Bounds,
  work: () => Promise<unknown>,
): Promise<Looped> {
  const durations: number[] = []
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
  const endsAt = startedAt + seconds * 1_000
  let begun = 0
  const worker = async (): Promise<void> => {
    for (let at = performance.now(); at < endsAt && begun++ < count;) {
      await work()
      const now = performance.now()
      durations.push(now - at)
      at = now
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    done: durations.length,
    seconds: (performance.now() - startedAt) / 1_000,
    p50Ms: quantile(durations, 0.5),
    p99Ms: quantile(durations, 0.99),
    cpuMicros: user + system,
  }
}
