// Writes results that are all successes, of webhooks that have not failed lately: nearly all there are. Nothing of such a
// webhook changes with them, so one statement is enough, which locks nothing but the deliveries.
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { recordApplied, resultRows } from './result-columns.ts'
import { hasTroubles } from './webhook-health-rows.ts'

/** `rows`: as JSON, in the order of their ids; `span`: where they are, on the deliveries `d`. Resolves to how many results count, or to null when nothing was written. */
export async function writeDelivered(db: Database, rows: string, span: Prisma.Sql): Promise<number | null> {
  const [written] = await db.$queryRaw<{ accepted: number; troubled: boolean }[]>`
    WITH result AS MATERIALIZED (${resultRows(rows)}),
    troubled AS MATERIALIZED (
      SELECT EXISTS (
        SELECT FROM result r CROSS JOIN LATERAL (
          SELECT FROM webhook_health h WHERE h.workspace_id = r.workspace_id AND h.webhook_id = r.webhook_id AND ${hasTroubles}
          OFFSET 0
        ) known
      ) AS value
    ), applied AS (
      UPDATE delivery d SET
        status = 'delivered', attempt_count = d.attempt_count + 1, tries = d.tries + 1, next_attempt_at = NULL,
        last_status_code = r.response_status, last_error_code = NULL, delivered_at = now(), dead_lettered_at = NULL,
        lease_owner = NULL, lease_until = NULL, sending_since = NULL
      FROM result r
      WHERE NOT (SELECT value FROM troubled) AND d.workspace_id = r.workspace_id AND d.id = r.id AND ${span}
        AND d.status IN ('pending', 'retrying', 'dead_letter')
      RETURNING d.workspace_id, d.id, d.attempt_count
    ), recorded AS (${recordApplied})
    SELECT (SELECT count(*) FROM applied)::int AS accepted, (SELECT value FROM troubled) AS troubled`
  return written === undefined || written.troubled ? null : written.accepted
}
