// The statements of fan-out. One reads events that wait in the outbox, and the webhooks of their workspaces, so that
// each event finds the webhooks that there were when it was written. The other writes the planned deliveries and takes
// the outbox rows of their events: both, or neither.
import { grantedScopes } from '#contract/webhook-grants.ts'
import { judgedTypes } from '#contract/webhook-conditions.ts'
import type { EventValues } from './filter-values.ts'
import type { MatchableEvent, MatchableWebhook, PlannedDelivery } from './match-webhooks.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { column, command, query } from '#prisma/statements.ts'
import { leaseSeconds } from '../queue/leases.ts'
import { eventSent, triedForDaysMax, webhookSentTo, type SentTo } from '../queue/delivery-rows.ts'

/** A query for the ids of events in the outbox: each stands for an event that has no deliveries yet. */
export type WaitingEvents = Prisma.Sql

/** But for those that are held since a restore. */
export const waitingByIds = (eventIds: readonly string[]): WaitingEvents =>
  Prisma.sql`SELECT event_id FROM outbox WHERE event_id = ANY (${eventIds}::uuid[]) AND created_at < ${heldUntil}`

/** How many times as many events are looked at as are chosen. */
const choice = 4

/** Some of the oldest: two dispatchers that look at the same time hardly choose the same ones. */
export const waitingOlderThan = (olderThanMs: number, max: number): WaitingEvents =>
  Prisma.sql`
    SELECT event_id FROM (
      SELECT event_id FROM outbox WHERE created_at < now() - ${olderThanMs}::int * interval '1 millisecond'
      ORDER BY created_at LIMIT ${max * choice}::int
    ) oldest
    ORDER BY random() LIMIT ${max}::int`

export type ReadEvent = MatchableEvent
type EventRow = Omit<ReadEvent, 'sequence' | 'values'> & { readonly sequence: string; readonly body: string | null }
/** `version`: another one once the row was changed in any way. */
type ReadWebhook = MatchableWebhook & { readonly version: string }
export type ReadWaiting = { readonly events: readonly ReadEvent[]; readonly webhooks: readonly ReadWebhook[] }

/** As JSON: two sets of rows in one answer. */
// OFFSET 0: see queue/delivery-rows.ts. Bodies are read where a webhook asks for values.
const readRows = query(
  {
    events: column.json.of<readonly EventRow[]>(),
    webhooks: column.json.of<readonly (Omit<ReadWebhook, 'granted'> & { readonly grants: unknown })[]>(),
  },
  (waiting: WaitingEvents) => Prisma.sql`
    WITH waiting AS MATERIALIZED (
      SELECT event_id, workspace_id, only_webhook_id FROM outbox WHERE event_id = ANY (ARRAY(${waiting}))
    ), webhooks AS MATERIALIZED (
      SELECT w.* FROM (SELECT DISTINCT workspace_id FROM waiting) theirs CROSS JOIN LATERAL (
        SELECT workspace_id AS "workspaceId", id, xmin::text AS version, events AS "eventTypes", filter,
               ignored_key_ids AS "ignoredKeyIds", include_imports AS "includeImports", grants, status, delivery_order AS "order", EXISTS (
          SELECT FROM webhook_health h
          WHERE h.workspace_id = webhook.workspace_id AND h.webhook_id = webhook.id AND h.circuit_open_until IS NOT NULL
          OFFSET 0
        ) AS "isCircuitOpen", (
          SELECT free_at <= now() FROM webhook_rate r
          WHERE r.workspace_id = webhook.workspace_id AND r.webhook_id = webhook.id OFFSET 0
        ) AS "hasTokens"
        FROM webhook WHERE workspace_id = theirs.workspace_id AND deleted_at IS NULL OFFSET 0
      ) w
    ), events AS (
      SELECT e.* FROM waiting CROSS JOIN LATERAL (
        SELECT workspace_id AS "workspaceId", id, sequence::text, type, resource_id AS "resourceId",
               resource_kind AS "resourceKind", project_id AS "projectId", changed_fields AS "changedFields", key_id AS "keyId", origin, encode(trace, 'hex') AS trace,
               waiting.only_webhook_id AS "onlyWebhookId",
               CASE WHEN type = ANY (${judgedTypes}::text[]) AND waiting.workspace_id IN (
                 SELECT "workspaceId" FROM webhooks WHERE filter -> 'values' IS NOT NULL
               ) THEN body END AS body
        FROM event WHERE workspace_id = waiting.workspace_id AND id = waiting.event_id OFFSET 0
      ) e
    )
    SELECT (SELECT coalesce(jsonb_agg(to_jsonb(events) ORDER BY id), '[]') FROM events) AS events,
           (SELECT coalesce(jsonb_agg(to_jsonb(webhooks)), '[]') FROM webhooks) AS webhooks`,
  [[waitingByIds([])], [waitingOlderThan(0, 1)]],
)

export async function readWaiting(db: Prisma.TransactionClient, waiting: WaitingEvents): Promise<ReadWaiting> {
  const [answer] = await readRows(db, waiting)
  const { events, webhooks } = answer ?? { events: [], webhooks: [] }
  return {
    events: events.map(({ body, ...event }) => ({
      ...event,
      sequence: BigInt(event.sequence),
      values: body === null ? null : (JSON.parse(body) as EventValues),
    })),
    webhooks: webhooks.map(({ grants, ...webhook }) => ({
      ...webhook,
      granted: grantedScopes({ eventTypes: webhook.eventTypes, grants }),
    })),
  }
}

export type LeasedPlan = PlannedDelivery & {
  readonly leased: boolean
  /** Of those that are leased: it is sent at once. */
  readonly starts: boolean
}
export type Write = {
  readonly events: readonly ReadEvent[]
  readonly planned: readonly LeasedPlan[]
  /** All that deliveries are planned for. */
  readonly webhooks: readonly ReadWebhook[]
  readonly owner: string
  readonly maxAttempts: number
}
export type Written = {
  /** How many events. Another dispatcher has fanned out the others. */
  readonly fannedOut: number
  /** The ids of the deliveries. */
  readonly inserted: readonly string[]
  /** Of the inserted ones: no try is later. */
  readonly expiresAt: Date
  /** By their ids, of what starts. A webhook is missing when it gets nothing at present. */
  readonly bodies: Readonly<Record<string, string>>
  readonly targets: Readonly<Record<string, Target>>
}
/** While its circuit is open, tests alone are sent. */
type Target = SentTo & { readonly isCircuitOpen: boolean }

const writeRows = query(
  {
    unchanged: column.bool,
    fannedOut: column.int,
    inserted: column.uuid.list,
    expiresAt: column.time,
    bodies: column.json.of<Written['bodies']>(),
    targets: column.json.of<Written['targets']>(),
  },
  ({ events, planned, webhooks, owner, maxAttempts }: Write) => Prisma.sql`
    WITH locked AS MATERIALIZED (${lockUnchanged(webhooks)}),
    unchanged AS MATERIALIZED (
      SELECT count(*) = ${webhooks.length}::int AS value FROM locked
    ), taken AS (
      DELETE FROM outbox WHERE event_id = ANY (ARRAY(
        SELECT event_id FROM outbox
        WHERE event_id = ANY (${events.map(({ id }) => id)}::uuid[]) AND (SELECT value FROM unchanged)
        FOR UPDATE SKIP LOCKED
      )) RETURNING event_id
    ), d AS (
      INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at,
                            next_attempt_at, lease_owner, lease_until, sending_since, order_key, place)
      SELECT workspace_id, id, r.event_id, event_type, webhook_id, 'pending', origin, ${maxAttempts}::int, now(),
             CASE WHEN NOT waits THEN now() END,
             CASE WHEN leased THEN ${owner}::text END,
             CASE WHEN leased THEN now() + ${leaseSeconds}::int * interval '1 second' END,
             CASE WHEN starts THEN now() END, order_key, place
      FROM jsonb_to_recordset(${JSON.stringify(planned.map(toRow))}::jsonb)
        AS r(workspace_id uuid, id uuid, event_id uuid, event_type text, webhook_id uuid, origin text, waits boolean,
             leased boolean, starts boolean, order_key uuid, place numeric)
      WHERE r.event_id IN (SELECT event_id FROM taken)
      ON CONFLICT DO NOTHING
      RETURNING workspace_id, id, event_id, webhook_id, sending_since
    ), started AS MATERIALIZED (SELECT workspace_id, event_id, webhook_id FROM d WHERE sending_since IS NOT NULL)
    SELECT unchanged.value AS unchanged, (SELECT count(*) FROM taken)::int AS "fannedOut", ARRAY(SELECT id FROM d) AS inserted,
           now()::timestamptz(3) + ${triedForDaysMax}::int * interval '1 day' AS "expiresAt",
           (SELECT coalesce(json_object_agg(e.id, e.body), '{}')
            FROM (SELECT DISTINCT workspace_id, event_id FROM started) d CROSS JOIN LATERAL (${eventSent}) e) AS bodies,
           (SELECT coalesce(json_object_agg(d.webhook_id, to_json(w)), '{}')
            FROM (SELECT DISTINCT workspace_id, webhook_id FROM started) d CROSS JOIN LATERAL (${target}) w) AS targets
    FROM unchanged`,
  [[{ events: [], planned: [], webhooks: [], owner: '', maxAttempts: 1 }]],
)

/**
 * Resolves to null, with nothing written, when a webhook is not as it was read. Webhooks are locked against being
 * paused or deleted until the deliveries exist, which a pause holds and a deletion cancels. Rows of the outbox that
 * others have locked are theirs. What is sent at once is read in the same statement, each event and each webhook once,
 * however many deliveries share it.
 */
// The commit waits for the disk: nothing is sent of which a database that was killed would know nothing.
export async function writeDeliveries(db: Prisma.TransactionClient, write: Write): Promise<Written | null> {
  const [answer] = await writeRows(db, write)
  return answer?.unchanged === true ? answer : null
}

/** Keeps changes of all webhooks of these workspaces out until the transaction ends. */
export const lockWebhooks = command(
  (workspaceIds: readonly string[]) => Prisma.sql`
    SELECT 1 FROM webhook WHERE workspace_id = ANY (${workspaceIds}::uuid[]) ORDER BY id FOR KEY SHARE`,
)

/** By their ids, the order in which all transactions lock. */
function lockUnchanged(webhooks: readonly ReadWebhook[]): Prisma.Sql {
  const rows = webhooks
    .map(({ workspaceId, id, version }) => ({ workspace_id: workspaceId, id, version }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return Prisma.sql`
    SELECT w.id FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS read(workspace_id uuid, id uuid, version text)
    CROSS JOIN LATERAL (
      SELECT id FROM webhook WHERE workspace_id = read.workspace_id AND id = read.id AND xmin::text = read.version
      FOR KEY SHARE
    ) w`
}

const target = Prisma.sql`
  SELECT sent.*, EXISTS (
    SELECT FROM webhook_health h
    WHERE h.workspace_id = d.workspace_id AND h.webhook_id = d.webhook_id AND h.circuit_open_until IS NOT NULL
  ) AS "isCircuitOpen"
  FROM (${webhookSentTo(Prisma.sql`h.gone_at IS NOT NULL`)}) sent`

const toRow = (planned: LeasedPlan) => ({
  workspace_id: planned.workspaceId,
  id: planned.id,
  event_id: planned.eventId,
  event_type: planned.eventType,
  webhook_id: planned.webhookId,
  origin: planned.origin,
  waits: planned.waits,
  leased: planned.leased,
  starts: planned.starts,
  order_key: planned.orderingKey,
  place: planned.position,
})
