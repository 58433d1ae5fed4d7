// Loads what one attempt needs, when it starts and not before: only ids are queued, and a webhook that was paused, deleted
// or changed meanwhile is seen as it is now. A delivery that starts at the moment of its fan-out was loaded there.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { deliveryKeySet, inSpanOf, oneByOne, type DeliveryKey } from '../queue/leases.ts'
import { ofDelivery, whatIsSent, type LoadedDelivery } from '../queue/loaded-delivery.ts'

/**
 * Returns null when the delivery is no longer ours to send. Else it is marked as being sent, and for some seconds nobody
 * takes it over: if it is sent later than that, it must be loaded again.
 */
export type LoadDelivery = (key: DeliveryKey) => Promise<LoadedDelivery | null>
export type DeliveryLoader = {
  readonly load: LoadDelivery
  /** Runs `start`, in which these are loaded already. `askedAt`: before their rows were read. */
  withLoaded<T>(loaded: readonly LoadedDelivery[], askedAt: number, start: () => T): T
}

const batchMax = 50
const batchWaitMs = 1
/** Shorter than the time for which nobody takes over a delivery that was just loaded. */
export const loadGoodMs = 3_000

export function deliveryLoader(db: Database, owner: string): DeliveryLoader {
  let inHand: ReadonlyMap<string, LoadedDelivery> = new Map()
  type Request = { readonly key: DeliveryKey } & Pick<PromiseWithResolvers<LoadedDelivery | null>, 'resolve' | 'reject'>
  async function flush(requests: readonly Request[]): Promise<void> {
    try {
      const keys = requests.map(({ key }) => key)
      const loaded = new Map((await loadRows(db, owner, keys)).map((row) => [row.id, row]))
      for (const { key, resolve } of requests) resolve(loaded.get(key.id) ?? null)
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }
  const requests = batcher<Request>({ flush, start: { waitMs: batchWaitMs }, maxItems: batchMax })
  const load: LoadDelivery = (key) => {
    const known = inHand.get(key.id)
    if (known !== undefined) return Promise.resolve(known)
    const { promise, resolve, reject } = Promise.withResolvers<LoadedDelivery | null>()
    requests.add({ key, resolve, reject })
    return promise
  }

  function withLoaded<T>(loaded: readonly LoadedDelivery[], askedAt: number, start: () => T): T {
    const isGood = performance.now() - askedAt < loadGoodMs
    inHand = new Map(isGood ? loaded.map((delivery) => [delivery.id, delivery]) : [])
    try {
      return start()
    } finally {
      inHand = new Map()
    }
  }
  return { load, withLoaded }
}

// OFFSET 0 keeps each look-up to itself. In small tables that were never analysed the planner takes a workspace for one
// row, and joins all of its events with all of its deliveries.
// While a circuit is open its probe is sent, and what somebody wants to test it with.
// A locked row is being paused, cancelled or taken over: it is skipped. The mark of the send is for those who find the row
// after a kill, so it is on the disk before anything is sent.
const loadRows = (db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<LoadedDelivery[]> =>
  db.$queryRaw`
    WITH loaded AS MATERIALIZED (${sendable(owner, keys)}),
    marked AS (
      UPDATE delivery d SET sending_since = now()
      FROM (SELECT "workspaceId", id FROM loaded r WHERE ${oneByOne}) l
      WHERE d.workspace_id = l."workspaceId" AND d.id = l.id AND ${inSpanOf(keys)}
    )
    SELECT * FROM loaded`

const sendable = (owner: string, keys: readonly DeliveryKey[]) =>
  Prisma.sql`
    SELECT ${ofDelivery}, sent.*
    FROM ${deliveryKeySet(keys)}
    CROSS JOIN LATERAL (
      SELECT * FROM delivery WHERE workspace_id = k.workspace_id AND id = k.id
        AND lease_owner = ${owner} AND status IN ('pending', 'retrying') OFFSET 0 FOR NO KEY UPDATE SKIP LOCKED
    ) d
    CROSS JOIN LATERAL (${whatIsSent}) sent`
