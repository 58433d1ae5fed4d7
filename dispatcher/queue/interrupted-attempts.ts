// The record of an attempt whose dispatcher was lost while it sent: that it was started, and that its end is not known. It
// counts neither as an attempt of the retry schedule nor against the webhook's health, since the fault was ours.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { deliveryKeySet, inSpanOf, type DeliveryKey } from './leases.ts'

/** Inserts an attempt for each row of `claimed` that has `interrupted_since`; its duration ends now. */
export const insertInterrupted: Prisma.Sql = Prisma.sql`
  INSERT INTO attempt (workspace_id, delivery_id, number, trigger, started_at, duration_ms, url, payload,
                       request_headers, truncated, outcome, error_code)
  SELECT c.workspace_id, c.id, c.attempt_count, CASE WHEN c.origin = 'replay' AND c.tries = 0 THEN 'manual' ELSE 'automatic' END,
         c.interrupted_since, extract(epoch FROM now() - c.interrupted_since) * 1000, w.url, w.payload,
         '{}', false, 'interrupted', 'interrupted'
  FROM claimed c JOIN webhook w ON w.workspace_id = c.workspace_id AND w.id = c.webhook_id
  WHERE c.interrupted_since IS NOT NULL`

/** For what this owner was sending when it ended: any dispatcher may lease it at once. */
export async function recordInterrupted(db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await db.$executeRaw`
    WITH sent AS (
      SELECT d.workspace_id, d.id, d.sending_since FROM delivery d JOIN ${deliveryKeySet(keys)}
        ON d.workspace_id = k.workspace_id AND d.id = k.id AND ${inSpanOf(keys)}
      WHERE d.lease_owner = ${owner} AND d.sending_since IS NOT NULL
      ORDER BY d.id FOR NO KEY UPDATE OF d
    ), claimed AS (
      UPDATE delivery d SET
        lease_owner = NULL, lease_until = NULL, sending_since = NULL,
        attempt_count = d.attempt_count + 1, last_status_code = NULL, last_error_code = 'interrupted'
      FROM sent WHERE d.workspace_id = sent.workspace_id AND d.id = sent.id AND ${inSpanOf(keys)}
      RETURNING d.workspace_id, d.id, d.webhook_id, d.origin, d.tries, d.attempt_count,
                sent.sending_since AS interrupted_since
    )
    ${insertInterrupted}`
}
