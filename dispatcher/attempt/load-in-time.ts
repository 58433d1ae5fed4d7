// Loads a delivery while its lease leaves time for an attempt, as often as that fails: while the database is away nothing
// is sent, and once it is back nobody has to wait for leases to run out.
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '#runtime/retry.ts'
import type { LeasedDelivery } from '../queue/leases.ts'
import type { LoadedDelivery } from '../queue/loaded-delivery.ts'
import { loadGoodMs as loadGoodMsDefault, type LoadDelivery } from './load-delivery.ts'

export type LoadBounds = {
  /** An attempt and the writing of its result take at most so long. No attempt is begun on a shorter lease. */
  readonly attemptMs: number
  readonly loadGoodMs?: number
  /** Aborted when the process ends. */
  readonly closing: AbortSignal
}

const backoff = { minMs: 100, maxMs: 2_000 }

/** Returns null when the delivery is not ours to send, or there is no time left. Rejects when the process ends first. */
export async function loadInTime(
  load: LoadDelivery,
  leased: LeasedDelivery,
  { attemptMs, loadGoodMs = loadGoodMsDefault, closing }: LoadBounds,
): Promise<LoadedDelivery | null> {
  for (let failures = 1; leased.leaseEndsAt - performance.now() > attemptMs; failures++) {
    try {
      return await loadFresh(load, leased, loadGoodMs)
    } catch (error) {
      await pause(backoffMs(failures, backoff), undefined, { signal: closing }).catch(() => {})
      if (closing.aborted) throw error
    }
  }
  return null
}

/** A process that was frozen while it loaded loads again: another dispatcher may be at work on the delivery by now. */
async function loadFresh(load: LoadDelivery, key: LeasedDelivery, goodMs: number): Promise<LoadedDelivery | null> {
  const askedAt = performance.now()
  const delivery = await load(key)
  return delivery === null || performance.now() - askedAt < goodMs ? delivery : load(key)
}
