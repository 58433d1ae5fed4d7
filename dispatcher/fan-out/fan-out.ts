// Turns outbox rows into deliveries, in one transaction: both, or neither. It may run twice for one event, in two
// processes at once: the ids are the same, and the second finds nothing to do.
import { grantedScopes } from '#contract/webhook-grants.ts'
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { leaseEndFromNow, leaseSeconds, type LeasedDelivery } from '../queue/leases.ts'
import type { OutboxRow, TakeOutboxRows } from './outbox-rows.ts'
import { planDeliveries, type MatchableEvent, type PlannedDelivery, type MatchableWebhook } from './match-webhooks.ts'

type Tx = Prisma.TransactionClient

export type FanOutOptions = {
  readonly owner: string
  readonly maxAttempts: number
  /** Whether one more delivery of this webhook can be queued here. Others get no lease and are left to any dispatcher. */
  readonly hasCapacity: (webhookId: string) => boolean
}
export type FannedOut = { readonly events: number; readonly leased: readonly LeasedDelivery[] }

export function fanOut(
  db: Database,
  take: TakeOutboxRows,
  { owner, maxAttempts, hasCapacity }: FanOutOptions,
): Promise<FannedOut> {
  const leaseEndsAt = leaseEndFromNow()
  return db.$transaction(async (tx) => {
    const outboxRows = await take(tx)
    if (outboxRows.length === 0) return { events: 0, leased: [] }
    const [events, webhooks] = [await eventsOf(tx, outboxRows), await webhooksOf(tx, outboxRows)]
    const rows = planDeliveries(events, webhooks).map((planned) =>
      toRow(planned, !planned.waits && !planned.rests && hasCapacity(planned.webhookId)),
    )
    const inserted = rows.length === 0 ? [] : await insert(tx, rows, owner, maxAttempts)
    const leased = inserted.filter((row) => row.leased).map(({ leased: _leased, ...row }) => ({ ...row, leaseEndsAt }))
    return { events: outboxRows.length, leased }
  })
}

const eventsOf = (tx: Tx, outboxRows: readonly OutboxRow[]): Promise<MatchableEvent[]> =>
  tx.event.findMany({
    where: {
      workspaceId: { in: outboxRows.map(({ workspaceId }) => workspaceId) },
      id: { in: outboxRows.map(({ eventId }) => eventId) },
    },
    select: {
      workspaceId: true,
      id: true,
      type: true,
      resourceId: true,
      resourceKind: true,
      projectId: true,
      changedFields: true,
    },
  })

// Locked against being paused or deleted until the deliveries exist, which a pause holds and a deletion cancels.
async function webhooksOf(tx: Tx, outboxRows: readonly OutboxRow[]): Promise<MatchableWebhook[]> {
  const rows = await tx.$queryRaw<(Omit<MatchableWebhook, 'granted'> & { readonly grants: unknown })[]>`
    SELECT workspace_id AS "workspaceId", id, events AS "eventTypes", filter, grants, status, EXISTS (
      SELECT FROM webhook_health h
      WHERE h.workspace_id = webhook.workspace_id AND h.webhook_id = webhook.id AND h.circuit_open_until IS NOT NULL
      OFFSET 0
    ) AS rests
    FROM webhook
    WHERE workspace_id = ANY (${[...new Set(outboxRows.map(({ workspaceId }) => workspaceId))]}::uuid[])
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
    INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at,
                          next_attempt_at, lease_owner, lease_until)
    SELECT workspace_id, id, event_id, event_type, webhook_id, 'pending', origin, ${maxAttempts}::int, now(),
           CASE WHEN NOT waits THEN now() END,
           CASE WHEN leased THEN ${owner}::text END,
           CASE WHEN leased THEN now() + ${leaseSeconds}::int * interval '1 second' END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(workspace_id uuid, id uuid, event_id uuid, event_type text,
                                                               webhook_id uuid, origin text, waits boolean, leased boolean)
    ON CONFLICT DO NOTHING
    RETURNING workspace_id AS "workspaceId", id, webhook_id AS "webhookId", lease_owner IS NOT NULL AS leased`

type Inserted = Omit<LeasedDelivery, 'leaseEndsAt'> & { readonly leased: boolean }

const toRow = (
  { workspaceId, id, eventId, eventType, webhookId, origin, waits }: PlannedDelivery,
  leased: boolean,
) => ({
  workspace_id: workspaceId,
  id,
  event_id: eventId,
  event_type: eventType,
  webhook_id: webhookId,
  ...{ origin, waits, leased },
})
