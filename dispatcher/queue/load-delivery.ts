// Loads what one attempt needs, when it starts and not before: only ids are queued, and a webhook that was paused,
// deleted or changed meanwhile is seen as it is now. A delivery that starts at the moment of its fan-out was loaded
// there. A delivery is loaded while its lease leaves time for an attempt, as often as loading fails: while the database
// is away nothing is sent, and once it is back nothing waits for leases to run out.
import { setTimeout as pause } from 'node:timers/promises'
import type { Payload } from '#contract/event.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { backoffMs } from '#runtime/retry.ts'
import type { LeasedDelivery } from './leases.ts'
import { deliveryKeySet, inSpanOf, oneByOne, type DeliveryKey } from './rows.ts'

/** How long after a delivery was made or replayed its last try may be. */
export const triedForDaysMax = 5

export type LoadedDelivery = DeliveryKey & {
  readonly webhookId: string
  /** The ordering key; null for a webhook without an order. */
  readonly orderingKey: string | null
  readonly eventType: string
  readonly eventBody: string
  readonly origin: string
  /** All attempts, interrupted ones included. */
  readonly attemptCount: number
  /** The attempts that count against `maxAttempts`. A replay begins at 0 again. */
  readonly attemptsSinceReplay: number
  readonly maxAttempts: number
  /** No try is later. Null for one that was replayed by a release that did not write down when. */
  readonly expiresAt: Date | null
} & SentTo

/** What an attempt needs of its webhook. */
export type SentTo = {
  readonly url: string
  readonly payload: Payload
  /** In base64. */
  readonly sealedHeaders: string | null
  /** The live secrets, newest first, in base64. */
  readonly sealedSecrets: readonly { readonly id: string; readonly sealed: string }[]
}

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

// OFFSET 0 keeps each look-up to itself, here and in the queries below. In small tables that were never analysed the
// planner takes a workspace for one row, and joins all of its events with all of its deliveries.
// While a circuit is open its probe is sent, and test events are.
// A locked row is being paused, cancelled or taken over: it is skipped. The mark of the send is for those who find the
// row after a kill, so it is on the disk before anything is sent.
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

/** The columns of the delivery `d` itself. */
const ofDelivery = Prisma.sql`
    d.workspace_id AS "workspaceId", d.id, d.webhook_id AS "webhookId", d.order_key AS "orderingKey", d.event_type AS "eventType", d.origin,
           d.attempt_count AS "attemptCount", d.tries AS "attemptsSinceReplay", d.max_attempts AS "maxAttempts",
           CASE WHEN d.origin = 'replay' THEN d.restarted_at ELSE d.created_at END
             + ${triedForDaysMax}::int * interval '1 day' AS "expiresAt"`

/** Of the event of the row `d`. */
export const eventSent = Prisma.sql`
    SELECT id, body FROM event WHERE workspace_id = d.workspace_id AND id = d.event_id OFFSET 0`

/** Of the webhook of the row `d`; no row when it is not active, or when its health keeps it from being sent to. */
export const webhookSentTo = (isKept: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT w.url, w.payload, encode(w.sealed_headers, 'base64') AS "sealedHeaders", s.secrets AS "sealedSecrets"
    FROM (
      SELECT url, payload, sealed_headers FROM webhook
      WHERE workspace_id = d.workspace_id AND id = d.webhook_id AND status = 'active' AND deleted_at IS NULL
        AND NOT EXISTS (
          SELECT FROM webhook_health h WHERE h.workspace_id = d.workspace_id AND h.webhook_id = d.webhook_id AND (${isKept})
        ) OFFSET 0
    ) w
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'sealed', encode(sealed, 'base64'))
                                ORDER BY created_at DESC, id DESC), '[]') AS secrets
      FROM webhook_secret
      WHERE workspace_id = d.workspace_id AND webhook_id = d.webhook_id AND (expires_at IS NULL OR expires_at > now())
    ) s`

/** For the delivery `d`, what an attempt needs of other rows; no row when its webhook gets nothing at present. */
const whatIsSent = Prisma.sql`
    SELECT e.body AS "eventBody", w.* FROM (${eventSent}) e CROSS JOIN LATERAL (${webhookSentTo(Prisma.sql`
      h.gone_at IS NOT NULL
      OR h.circuit_open_until IS NOT NULL AND h.probe_id IS DISTINCT FROM d.id AND d.origin <> 'test'`)}) w`
