// Loads what one attempt needs, when it starts and not before: only ids are queued, and a webhook that was paused, deleted
// or changed meanwhile is seen as it is now.
import type { Payload } from '#contract/event-envelope.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { deliveryKeySet, type DeliveryKey } from '../queue/leases.ts'

export type LoadedDelivery = DeliveryKey & {
  readonly webhookId: string
  readonly eventType: string
  readonly eventBody: string
  readonly origin: string
  /** All attempts, interrupted ones included. */
  readonly attemptCount: number
  /** The attempts that count against `maxAttempts`. A replay begins at 0 again. */
  readonly attemptsSinceReplay: number
  readonly maxAttempts: number
  readonly url: string
  readonly payload: Payload
  readonly sealedHeaders: Uint8Array | null
  /** The live secrets, newest first. */
  readonly sealedSecrets: readonly { readonly id: string; readonly sealed: string }[]
}

/**
 * Returns null when the delivery is no longer ours to send. Else it is marked as being sent, and for some seconds nobody
 * takes it over: if it is sent later than that, it must be loaded again.
 */
export type LoadDelivery = (key: DeliveryKey) => Promise<LoadedDelivery | null>

const batchMax = 50
const batchWaitMs = 1

export function deliveryLoader(db: Database, owner: string): LoadDelivery {
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
  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<LoadedDelivery | null>()
    requests.add({ key, resolve, reject })
    return promise
  }
}

// OFFSET 0 keeps each look-up to itself. In small tables that were never analysed the planner takes a workspace for one
// row, and joins all of its events with all of its deliveries.
// While a circuit is open its probe is sent, and what somebody wants to test it with.
// A locked row is being paused, cancelled or taken over: it is skipped. The mark of the send is for those who find the row
// after a kill; a database that loses it has lost more, so the commit does not wait for the disk.
const loadRows = (db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<LoadedDelivery[]> =>
  db.$queryRaw`
    WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value),
    loaded AS MATERIALIZED (${sendable(owner, keys)}),
    marked AS (
      UPDATE delivery d SET sending_since = now() FROM loaded l, settings
      WHERE d.workspace_id = l."workspaceId" AND d.id = l.id
    )
    SELECT * FROM loaded`

const sendable = (owner: string, keys: readonly DeliveryKey[]) =>
  Prisma.sql`
    SELECT d.workspace_id AS "workspaceId", d.id, d.webhook_id AS "webhookId", d.event_type AS "eventType",
           e.body AS "eventBody", d.origin, d.attempt_count AS "attemptCount",
           d.tries AS "attemptsSinceReplay", d.max_attempts AS "maxAttempts",
           w.url, w.payload, w.sealed_headers AS "sealedHeaders", s.secrets AS "sealedSecrets"
    FROM ${deliveryKeySet(keys)}
    CROSS JOIN LATERAL (
      SELECT * FROM delivery WHERE workspace_id = k.workspace_id AND id = k.id
        AND lease_owner = ${owner} AND status IN ('pending', 'retrying') OFFSET 0 FOR NO KEY UPDATE SKIP LOCKED
    ) d
    CROSS JOIN LATERAL (
      SELECT body FROM event WHERE workspace_id = d.workspace_id AND id = d.event_id OFFSET 0
    ) e
    CROSS JOIN LATERAL (
      SELECT url, payload, sealed_headers FROM webhook
      WHERE workspace_id = d.workspace_id AND id = d.webhook_id AND status = 'active' AND deleted_at IS NULL
        AND NOT EXISTS (
          SELECT FROM webhook_health h
          WHERE h.workspace_id = d.workspace_id AND h.webhook_id = d.webhook_id AND (
            h.gone_at IS NOT NULL
            OR h.circuit_open_until IS NOT NULL AND h.probe_id IS DISTINCT FROM d.id AND d.origin <> 'test'
          )
        ) OFFSET 0
    ) w
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'sealed', encode(sealed, 'base64'))
                                ORDER BY created_at DESC, id DESC), '[]') AS secrets
      FROM webhook_secret
      WHERE workspace_id = d.workspace_id AND webhook_id = d.webhook_id AND (expires_at IS NULL OR expires_at > now())
    ) s`
