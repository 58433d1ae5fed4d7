// A delivery with all that an attempt needs, and the SQL that finds it. OFFSET 0 keeps each look-up to itself.
import type { Payload } from '#contract/event.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { DeliveryKey } from './leases.ts'

/** No try is later than so long after a delivery was made or replayed. */
export const triedForDaysMax = 5

export type LoadedDelivery = DeliveryKey & {
  readonly webhookId: string
  /** Of the line that it stands in; null without an order. */
  readonly orderKey: string | null
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

/** The columns of the delivery `d` itself. */
export const ofDelivery = Prisma.sql`
    d.workspace_id AS "workspaceId", d.id, d.webhook_id AS "webhookId", d.order_key AS "orderKey", d.event_type AS "eventType", d.origin,
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
export const whatIsSent = Prisma.sql`
    SELECT e.body AS "eventBody", w.* FROM (${eventSent}) e CROSS JOIN LATERAL (${webhookSentTo(Prisma.sql`
      h.gone_at IS NOT NULL
      OR h.circuit_open_until IS NOT NULL AND h.probe_id IS DISTINCT FROM d.id AND d.origin <> 'test'`)}) w`
