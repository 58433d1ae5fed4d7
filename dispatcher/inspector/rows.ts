// Statements about what the inspector received: rows are added by the batch, and each webhook keeps its last ones.
import { inspectedBytesMax, inspectedRequestsMax, type Signatures } from '#contract/inspector.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'

export type Inspected = {
  readonly id: string
  readonly workspaceId: string
  readonly webhookId: string
  readonly deliveryId: string
  readonly eventType: string
  readonly attempt: number
  readonly receivedAt: Date
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bodyBytes: number
  readonly signatures: Signatures
  readonly answeredStatus: number | null
}

/** A webhook that was removed meanwhile keeps nothing. */
export const insertInspected = command(
  (rows: readonly Inspected[]) => Prisma.sql`
    INSERT INTO inspected_request (workspace_id, webhook_id, id, delivery_id, event_type, attempt, received_at, method,
                                   path, headers, body, body_bytes, signatures, answered_status)
    SELECT w.workspace_id, w.id, r.id, r."deliveryId", r."eventType", r.attempt, r."receivedAt", r.method, r.path,
           r.headers, r.body, r."bodyBytes", r.signatures, r."answeredStatus"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (
      id uuid, "workspaceId" uuid, "webhookId" uuid, "deliveryId" uuid, "eventType" text, attempt int,
      "receivedAt" timestamptz, method text, path text, headers jsonb, body text, "bodyBytes" int, signatures jsonb,
      "answeredStatus" int)
    JOIN webhook w ON w.workspace_id = r."workspaceId" AND w.id = r."webhookId"
    ON CONFLICT DO NOTHING`,
  [[[]]],
)

export type InspectedWebhook = { readonly workspaceId: string; readonly webhookId: string }

/** Deletes all but the last of these webhooks. Another dispatcher may do so at the same time: neither waits. */
export const deleteBeyondLast = command(
  (webhooks: readonly InspectedWebhook[]) => Prisma.sql`
    DELETE FROM inspected_request WHERE (workspace_id, webhook_id, id) IN (
      SELECT i.workspace_id, i.webhook_id, i.id
      FROM jsonb_to_recordset(${JSON.stringify(webhooks)}::jsonb) AS k ("workspaceId" uuid, "webhookId" uuid)
      CROSS JOIN LATERAL (
        SELECT id FROM (
          SELECT id, row_number() OVER newest AS place, sum(body_bytes) OVER newest AS bytes FROM inspected_request
          WHERE workspace_id = k."workspaceId" AND webhook_id = k."webhookId"
          WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
        ) kept
        WHERE place > ${inspectedRequestsMax}::int OR (place > 1 AND bytes > ${inspectedBytesMax}::int)
      ) beyond
      JOIN inspected_request i ON i.workspace_id = k."workspaceId" AND i.webhook_id = k."webhookId" AND i.id = beyond.id
      FOR UPDATE OF i SKIP LOCKED
    )`,
  [[[]]],
)

/** Returns how many there were. */
export const deleteOldInspected = command(
  (keptDays: number, max: number) => Prisma.sql`
    DELETE FROM inspected_request WHERE (workspace_id, webhook_id, id) IN (
      SELECT workspace_id, webhook_id, id FROM inspected_request
      WHERE received_at < now() - ${keptDays}::int * interval '1 day'
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    )`,
)
