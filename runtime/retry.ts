// Does what must be done for as long as it fails, with growing pauses, until it is told to give up.
import { setTimeout as pause } from 'node:timers/promises'

const firstPauseMs = 100
const pauseMaxMs = 5_000

/** False where it was given up. `work` is tried once in any case. */
export async function insist(
  work: () => Promise<void>,
  giveUp: AbortSignal,
  onError: (error: unknown) => void,
): Promise<boolean> {
  for (let failures = 0; ; failures++) {
    try {
      await work()
      return true
    } catch (error) {
      onError(error)
    }
    await pause(Math.min(firstPauseMs * 2 ** failures, pauseMaxMs), undefined, { signal: giveUp }).catch(() => {})
    if (giveUp.aborted) return false
  }
}
