// All that one attempt needs, read when it starts and not before: what is queued is only ids, and a webhook that was
// paused, deleted or changed meanwhile is seen as it is now.
import type { KeyObject } from 'node:crypto'
import type { Payload } from '#contract/event-envelope.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { open } from '#runtime/sealing.ts'
import { batcher } from '#runtime/batcher.ts'
import { deliveryKeySet, type DeliveryKey } from '../queue/leases.ts'

export type Task = DeliveryKey & {
  readonly webhookId: string
  readonly eventType: string
  readonly eventBody: string
  readonly origin: string
  readonly attemptCount: number
  readonly tries: number
  readonly maxAttempts: number
  readonly url: string
  readonly payload: Payload
  readonly sealedHeaders: Uint8Array | null
  /** Those that are live, newest first. */
  readonly sealedSecrets: readonly { readonly id: string; readonly sealed: string }[]
}

/**
 * Null where the delivery is no longer ours to send. Else it is noted as being sent, and for some seconds nobody takes it
 * away: what is sent later than that must be loaded again.
 */
export type Load = (key: DeliveryKey) => Promise<Task | null>

const batchMax = 50
const batchWaitMs = 1

export function loader(db: Database, owner: string): Load {
  type Request = { readonly key: DeliveryKey } & Pick<PromiseWithResolvers<Task | null>, 'resolve' | 'reject'>
  async function flush(requests: readonly Request[]): Promise<void> {
    try {
      const keys = requests.map(({ key }) => key)
      const loaded = new Map((await tasksOf(db, owner, keys)).map((task) => [task.id, task]))
      for (const { key, resolve } of requests) resolve(loaded.get(key.id) ?? null)
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }
  const requests = batcher<Request>({ flush, start: { waitMs: batchWaitMs }, maxItems: batchMax })
  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Task | null>()
    requests.add({ key, resolve, reject })
    return promise
  }
}

// OFFSET 0 keeps each look-up to itself. In small tables that were never analysed the planner takes a workspace for one
// row, and joins all of its events with all of its deliveries.
// A row that somebody holds is being paused, cancelled or taken away: it is passed over. The note of the send is for
// those who find it after a kill; a database that loses it has lost more, so it does not wait for the disk.
const tasksOf = (db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<Task[]> =>
  db.$queryRaw`
    WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value),
    task AS MATERIALIZED (${tasks(owner, keys)}),
    noted AS (
      UPDATE delivery d SET sending_since = now() FROM task t, unhurried
      WHERE d.workspace_id = t."workspaceId" AND d.id = t.id
    )
    SELECT * FROM task`

const tasks = (owner: string, keys: readonly DeliveryKey[]) =>
  Prisma.sql`
    SELECT d.workspace_id AS "workspaceId", d.id, d.webhook_id AS "webhookId", d.event_type AS "eventType",
           e.body AS "eventBody", d.origin, d.attempt_count AS "attemptCount", d.tries, d.max_attempts AS "maxAttempts",
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
          WHERE h.workspace_id = d.workspace_id AND h.webhook_id = d.webhook_id AND h.gone_at IS NOT NULL
        ) OFFSET 0
    ) w
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'sealed', encode(sealed, 'base64'))
                                ORDER BY created_at DESC, id DESC), '[]') AS secrets
      FROM webhook_secret
      WHERE workspace_id = d.workspace_id AND webhook_id = d.webhook_id AND (expires_at IS NULL OR expires_at > now())
    ) s`

/** Those that open. The service sealed each to its own row; one that was moved, or sealed under another secret, does not. */
export const openSecrets = (key: KeyObject, { sealedSecrets }: Task): string[] =>
  sealedSecrets.flatMap(({ id, sealed }) => {
    try {
      return [open(key, Buffer.from(sealed, 'base64'), `webhook-secret:${id}`)]
    } catch {
      return []
    }
  })

export const openHeaders = (key: KeyObject, { webhookId, sealedHeaders }: Task): Record<string, string> =>
  sealedHeaders === null
    ? {}
    : (JSON.parse(open(key, sealedHeaders, `webhook-headers:${webhookId}`)) as Record<string, string>)
