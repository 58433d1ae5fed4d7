// Loads what one attempt needs, when it starts and not before: only ids are queued, and a webhook that was paused,
// deleted or changed meanwhile is seen as it is now. A delivery that starts at the moment of its fan-out was loaded
// there. A delivery is loaded while its lease leaves time for an attempt, as often as loading fails: while the database
// is away nothing is sent, and once it is back nothing waits for leases to run out.
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { backoffMs } from '#runtime/retry.ts'
import type { LeasedDelivery } from './leases.ts'
import { loadRows, type LoadedDelivery } from './delivery-rows.ts'
import type { DeliveryKey } from './rows.ts'

/**
 * Returns null when the delivery is no longer ours to send. Else it is marked as being sent, and for some seconds no
 * other dispatcher takes it over: if it is sent later than that, it must be loaded again.
 */
export type LoadDelivery = (key: DeliveryKey) => Promise<LoadedDelivery | null>
export type DeliveryLoader = {
  readonly load: LoadDelivery
  /** Runs `start`, in which these are loaded already. `askedAt`: before their rows were read. */
  withLoaded<T>(loaded: readonly LoadedDelivery[], askedAt: number, start: () => T): T
}

const batchMax = 50
const batchWaitMs = 1
/** Shorter than the time for which no other dispatcher takes over a delivery that was just loaded. */
export const loadGoodMs = 3_000

type Request = { readonly key: DeliveryKey } & Pick<PromiseWithResolvers<LoadedDelivery | null>, 'resolve' | 'reject'>

export function deliveryLoader(db: Database, owner: string): DeliveryLoader {
  let preloaded: ReadonlyMap<string, LoadedDelivery> = new Map()
  async function flush(requests: readonly Request[]): Promise<void> {
    try {
      const rows = await loadRows(
        db,
        owner,
        requests.map(({ key }) => key),
      )
      const loaded = new Map(rows.map((row) => [row.id, row]))
      for (const { key, resolve } of requests) resolve(loaded.get(key.id) ?? null)
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }
  const requests = batcher<Request>({ flush, start: { waitMs: batchWaitMs }, maxItems: batchMax })
  const load: LoadDelivery = (key) => {
    const known = preloaded.get(key.id)
    if (known !== undefined) return Promise.resolve(known)
    const { promise, resolve, reject } = Promise.withResolvers<LoadedDelivery | null>()
    requests.add({ key, resolve, reject })
    return promise
  }

  function withLoaded<T>(loaded: readonly LoadedDelivery[], askedAt: number, start: () => T): T {
    const isGood = performance.now() - askedAt < loadGoodMs
    preloaded = new Map(isGood ? loaded.map((delivery) => [delivery.id, delivery]) : [])
    try {
      return start()
    } finally {
      preloaded = new Map()
    }
  }
  return { load, withLoaded }
}

export type LoadBounds = {
  /** An attempt and the writing of its result take at most so long. No attempt is begun on a shorter lease. */
  readonly attemptMs: number
  readonly goodMs?: number
  /** Aborted when the process ends. */
  readonly closing: AbortSignal
}

const backoff = { minMs: 100, maxMs: 2_000 }

/**
 * Returns null when the delivery is not ours to send, or there is no time left. Rejects when the process ends first.
 */
export async function loadInTime(
  load: LoadDelivery,
  leased: LeasedDelivery,
  { attemptMs, goodMs = loadGoodMs, closing }: LoadBounds,
): Promise<LoadedDelivery | null> {
  for (let failures = 1; leased.leaseEndsAt - performance.now() > attemptMs; failures++) {
    try {
      return await loadFresh(load, leased, goodMs)
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
