// Turns outbox rows into deliveries, in one transaction: both, or neither. It may run twice for one event, in two
// processes at once: the ids are the same, and the second finds nothing to do.
import { grantedScopes } from '#contract/webhook-grants.ts'
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import { ofDelivery, whatIsSent, type LoadedDelivery } from '../queue/loaded-delivery.ts'
import { leaseEndFromNow, leaseSeconds, type LeasedDelivery } from '../queue/leases.ts'
import type { Line } from '../queue/order-lines.ts'
import type { TakeOutboxRows } from './outbox-rows.ts'
import { planDeliveries, type MatchableEvent, type PlannedDelivery, type MatchableWebhook } from './match-webhooks.ts'

type Tx = Prisma.TransactionClient

export type FanOutOptions = {
  readonly owner: string
  readonly maxAttempts: number
  /** Whether one more delivery of this webhook can be queued here. Others get no lease and are left to any dispatcher. */
  readonly hasCapacity: (webhookId: string) => boolean
  /** Whether it would start at once. Then it is marked as being sent, and loaded. Asked of those with capacity alone. */
  readonly hasSlot: (planned: { readonly workspaceId: string; readonly webhookId: string }) => boolean
}
export type FannedOut = {
  readonly events: number
  readonly leased: readonly LeasedDelivery[]
  readonly loaded: readonly LoadedDelivery[]
  /** The webhooks of which deliveries can be claimed at once. */
  readonly claimable: readonly string[]
  /** The lines that deliveries were added to. */
  readonly lines: readonly Line[]
}

export function fanOut(
  db: Database,
  take: TakeOutboxRows,
  { owner, maxAttempts, hasCapacity, hasSlot }: FanOutOptions,
): Promise<FannedOut> {
  const leaseEndsAt = leaseEndFromNow()
  return transact(db, async (tx) => {
    const events = await take(tx)
    if (events.length === 0) return { events: 0, leased: [], loaded: [], claimable: [], lines: [] }
    const planned = planDeliveries(events, await webhooksOf(tx, events))
    const rows = planned.map((one) => {
      const leased = !one.waits && !one.isLeft && hasCapacity(one.webhookId)
      return toRow(one, leased, leased && hasSlot(one))
    })
    const inserted = rows.length === 0 ? [] : await insert(tx, rows, owner, maxAttempts)
    const claimable = new Set(planned.flatMap(({ webhookId, isClaimable }) => (isClaimable ? [webhookId] : [])))
    return {
      events: events.length,
      leased: inserted.flatMap(({ leased, workspaceId, id, webhookId }) =>
        leased ? [{ workspaceId, id, webhookId, leaseEndsAt }] : [],
      ),
      loaded: inserted.filter((row) => isLoaded(row)),
      claimable: [...claimable],
      lines: linesOf(inserted),
    }
  })
}

// Locked against being paused or deleted until the deliveries exist, which a pause holds and a deletion cancels.
async function webhooksOf(tx: Tx, events: readonly MatchableEvent[]): Promise<MatchableWebhook[]> {
  const rows = await tx.$queryRaw<(Omit<MatchableWebhook, 'granted'> & { readonly grants: unknown })[]>`
    SELECT workspace_id AS "workspaceId", id, events AS "eventTypes", filter, ignored_key_ids AS "ignoredKeyIds", grants, status,
           delivery_order AS "order", EXISTS (
      SELECT FROM webhook_health h
      WHERE h.workspace_id = webhook.workspace_id AND h.webhook_id = webhook.id AND h.circuit_open_until IS NOT NULL
      OFFSET 0
    ) AS rests, (
      SELECT free_at <= now() FROM webhook_rate r
      WHERE r.workspace_id = webhook.workspace_id AND r.webhook_id = webhook.id OFFSET 0
    ) AS "hasTokens"
    FROM webhook
    WHERE workspace_id = ANY (${[...new Set(events.map(({ workspaceId }) => workspaceId))]}::uuid[])
      AND deleted_at IS NULL
    ORDER BY id FOR KEY SHARE`
  return rows.map(({ grants, ...webhook }) => ({
    ...webhook,
    granted: grantedScopes({ eventTypes: webhook.eventTypes, grants }),
  }))
}

const insert = (
  tx: Tx,
  rows: readonly ReturnType<typeof toRow>[],
  owner: string,
  maxAttempts: number,
): Promise<Inserted[]> =>
  tx.$queryRaw`
    WITH d AS (
      INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at,
                            next_attempt_at, lease_owner, lease_until, sending_since, order_key, place)
      SELECT workspace_id, id, event_id, event_type, webhook_id, 'pending', origin, ${maxAttempts}::int, now(),
             CASE WHEN NOT waits THEN now() END,
             CASE WHEN leased THEN ${owner}::text END,
             CASE WHEN leased THEN now() + ${leaseSeconds}::int * interval '1 second' END,
             CASE WHEN starts THEN now() END, order_key, place
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(workspace_id uuid, id uuid, event_id uuid, event_type text, webhook_id uuid, origin text, waits boolean,
             leased boolean, starts boolean, order_key uuid, place numeric)
      ON CONFLICT DO NOTHING
      RETURNING *
    )
    SELECT ${ofDelivery}, d.lease_owner IS NOT NULL AS leased, sent.*
    FROM d LEFT JOIN LATERAL (${whatIsSent}) sent ON d.sending_since IS NOT NULL`

type NotLoaded = Pick<LoadedDelivery, 'workspaceId' | 'id' | 'webhookId' | 'orderKey'> & { readonly url: null }
type Inserted = { readonly leased: boolean } & (LoadedDelivery | NotLoaded)

const linesOf = (inserted: readonly Inserted[]): Line[] =>
  inserted.flatMap(({ webhookId, orderKey }) => (orderKey === null ? [] : [{ webhookId, orderKey }]))

const isLoaded = (row: LoadedDelivery | NotLoaded): row is LoadedDelivery => row.url !== null

const toRow = (
  { workspaceId, id, eventId, eventType, webhookId, origin, waits, orderKey, place }: PlannedDelivery,
  leased: boolean,
  starts: boolean,
) => ({
  workspace_id: workspaceId,
  id,
  event_id: eventId,
  event_type: eventType,
  webhook_id: webhookId,
  ...{ origin, waits, leased, starts, order_key: orderKey, place },
})
