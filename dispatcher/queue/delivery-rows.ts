// Reads what an attempt needs (delivery, event, webhook and secrets), and marks the delivery as being sent.
import type { Payload } from '#contract/event.ts'
import { inspectorUrl } from '#contract/inspector.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import { deliveryKeySet, inSpanOf, oneByOne, type DeliveryKey } from './rows.ts'

/** How long after a delivery was made or replayed its last try may be. */
export const triedForDaysMax = 5

export type LoadedDelivery = DeliveryKey & {
  readonly webhookId: string
  /** The ordering key; null for a webhook without an order. */
  readonly orderingKey: string | null
  readonly eventType: string
  readonly eventBody: string
  /** What it is a part of, in hexadecimal digits as it is stored; null where its event has no trace. */
  readonly trace: string | null
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
  /** It is sent to the inspector, from a workspace that is a sandbox. */
  readonly isInspected: boolean
  readonly payload: Payload
  /** In base64. */
  readonly sealedHeaders: string | null
  /** The live secrets, newest first, in base64. */
  readonly sealedSecrets: readonly { readonly id: string; readonly sealed: string }[]
}

// OFFSET 0 keeps each look-up to itself, here and in the queries below. In small tables that were never analysed the
// planner takes a workspace for one row, and joins all of its events with all of its deliveries.
// While a circuit is open its probe is sent, and test events are.
// A locked row is being paused, cancelled or taken over: it is skipped. The mark of the send is for those who find the
// row after a kill, so it is on the disk before anything is sent.
export const loadRows = query(
  {
    workspaceId: column.uuid,
    id: column.uuid,
    webhookId: column.uuid,
    orderingKey: column.uuid.orNull,
    eventType: column.text,
    eventBody: column.text,
    trace: column.text.orNull,
    origin: column.text,
    attemptCount: column.int,
    attemptsSinceReplay: column.int,
    maxAttempts: column.int,
    expiresAt: column.time.orNull,
    url: column.text,
    isInspected: column.bool,
    payload: column.text.of<Payload>(),
    sealedHeaders: column.text.orNull,
    sealedSecrets: column.json.of<SentTo['sealedSecrets']>(),
  },
  (owner: string, keys: readonly DeliveryKey[]) => Prisma.sql`
    WITH loaded AS MATERIALIZED (${sendable(owner, keys)}),
    marked AS (
      UPDATE delivery d SET sending_since = now()
      FROM (SELECT "workspaceId", id FROM loaded r WHERE ${oneByOne}) l
      WHERE d.workspace_id = l."workspaceId" AND d.id = l.id AND ${inSpanOf(keys)}
    )
    SELECT * FROM loaded`,
)

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
    SELECT id, body, encode(trace, 'hex') AS trace FROM event WHERE workspace_id = d.workspace_id AND id = d.event_id OFFSET 0`

/** Of the webhook of the row `d`; no row when it is not active, or when its health keeps it from being sent to. */
export const webhookSentTo = (isKept: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT w.url, w."isInspected", w.payload, encode(w.sealed_headers, 'base64') AS "sealedHeaders", s.secrets AS "sealedSecrets"
    FROM (
      SELECT url, payload, sealed_headers, CASE WHEN starts_with(url, ${inspectorUrl})
               THEN (SELECT sandbox FROM workspace WHERE id = d.workspace_id) ELSE false END AS "isInspected"
      FROM webhook
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
    SELECT e.body AS "eventBody", e.trace, w.* FROM (${eventSent}) e CROSS JOIN LATERAL (${webhookSentTo(Prisma.sql`
      h.gone_at IS NOT NULL
      OR h.circuit_open_until IS NOT NULL AND h.probe_id IS DISTINCT FROM d.id AND d.origin <> 'test'`)}) w`
