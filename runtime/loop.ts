// Work that is repeated, never twice at a time. Each run returns how many milliseconds the next may wait. A run that
// fails is reported, and the next one waits longer, up to a bound.
import { backoffMs, type Backoff } from './retry.ts'

export type Loop = {
  /** Ends the wait for the next run. */
  wake(): void
  /** Resolves when the current run has ended; there is none after it. */
  close(): Promise<void>
}

const backoff: Backoff = { minMs: 250, maxMs: 5_000 }

export function loop(work: () => Promise<number>, onError: (error: unknown) => void): Loop {
  let awake = Promise.withResolvers<void>()
  let closed = false
  let failures = 0

  async function run(): Promise<void> {
    while (!closed) {
      awake = Promise.withResolvers<void>()
      await pause(await runOnce())
    }
  }

  async function runOnce(): Promise<number> {
    try {
      const waitMs = await work()
      failures = 0
      return waitMs
    } catch (error) {
      onError(error)
      // A wake during a run that has failed is no reason to fail again at once.
      awake = Promise.withResolvers<void>()
      return backoffMs(++failures, backoff)
    }
  }

  async function pause(ms: number): Promise<void> {
    if (closed) return
    const timer = setTimeout(() => awake.resolve(), ms)
    await awake.promise
    clearTimeout(timer)
  }

  const running = run()
  const wake = () => awake.resolve()
  const close = () => {
    closed = true
    wake()
    return running
  }
  return { wake, close }
}
