// The record of an attempt whose dispatcher was lost while it sent: that it was started, and that its end is not known. It
// counts neither as an attempt of the retry schedule nor against the webhook's health, since the fault was ours.
import { Prisma } from '#prisma/generated/client.ts'

/** Inserts an attempt for each row of `claimed` that has `interrupted_since`; its duration ends now. */
export const insertInterrupted: Prisma.Sql = Prisma.sql`
  INSERT INTO attempt (workspace_id, delivery_id, number, trigger, started_at, duration_ms, url, payload,
                       request_headers, truncated, outcome, error_code)
  SELECT c.workspace_id, c.id, c.attempt_count, CASE WHEN c.origin = 'replay' AND c.tries = 0 THEN 'manual' ELSE 'automatic' END,
         c.interrupted_since, extract(epoch FROM now() - c.interrupted_since) * 1000, w.url, w.payload,
         '{}', false, 'interrupted', 'interrupted'
  FROM claimed c JOIN webhook w ON w.workspace_id = c.workspace_id AND w.id = c.webhook_id
  WHERE c.interrupted_since IS NOT NULL`
