// How the attempts at webhooks were answered, hour by hour and day by day.
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'

/** How the attempts at one webhook were answered. */
export type AttemptTallies = {
  readonly workspaceId: string
  readonly webhookId: string
  /** When the last of them began: they all count in its hour. */
  readonly until: string
  readonly statuses: readonly number[]
  readonly latency: readonly number[]
}

/** Webhooks that do not exist any more are skipped. In the order of their keys, so that no two of these deadlock. */
export const addWebhookActivity = command(
  (tallies: readonly AttemptTallies[]) => Prisma.sql`
    INSERT INTO webhook_activity AS kept (workspace_id, unit, webhook_id, since, statuses, latency)
    SELECT w.workspace_id, span.unit, w.id, date_trunc(span.unit, a."until", 'UTC'), a."statuses", a."latency"
    FROM jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb)
      AS a("workspaceId" uuid, "webhookId" uuid, "until" timestamptz, "statuses" bigint[], "latency" bigint[])
    JOIN webhook w ON w.workspace_id = a."workspaceId" AND w.id = a."webhookId"
    CROSS JOIN (VALUES ('day'), ('hour')) AS span(unit)
    ORDER BY w.workspace_id, span.unit, w.id
    ON CONFLICT (workspace_id, unit, webhook_id, since) DO UPDATE SET
      statuses = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(kept.statuses, excluded.statuses) AS n(a, b)),
      latency = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(kept.latency, excluded.latency) AS n(a, b))`,
)
