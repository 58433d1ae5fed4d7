// Work that is tried again for as long as it fails, with growing pauses.
import { setTimeout as pause } from 'node:timers/promises'

export type Backoff = { readonly minMs: number; readonly maxMs: number }

/** The pause after so many failures in a row: `minMs` after the first, then twice as long each time, up to `maxMs`. */
export const backoffMs = (failures: number, { minMs, maxMs }: Backoff): number =>
  Math.min(minMs * 2 ** (failures - 1), maxMs)

type RetryOptions = {
  /** Ends the retries, and a pause at once. `work` is done once in any case. */
  readonly signal: AbortSignal
  /** Called after each failure. */
  readonly onError: (error: unknown) => void
  readonly backoff?: Backoff
}

const standardBackoff: Backoff = { minMs: 100, maxMs: 5_000 }

/** Returns true when `work` has succeeded, false when `signal` was aborted before it did. Never rejects. */
export async function retryWithBackoff(
  work: () => Promise<void>,
  { signal, onError, backoff = standardBackoff }: RetryOptions,
): Promise<boolean> {
  for (let failures = 1; ; failures++) {
    try {
      await work()
      return true
    } catch (error) {
      onError(error)
    }
    await pause(backoffMs(failures, backoff), undefined, { signal }).catch(() => {})
    if (signal.aborted) return false
  }
}
