// How often calls of a key are denied, counted by the hour: many of them raise an alarm.
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'

type KeyDenials = {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly count: number
}

/** Counts denied calls of keys, from 1 again an hour after the first of them. */
export const countDenials = command(
  (denials: readonly KeyDenials[]) => Prisma.sql`
    INSERT INTO key_denial AS d (workspace_id, api_key_id, since, count)
    SELECT "workspaceId", "apiKeyId", now(), sum(count)::int
    FROM jsonb_to_recordset(${JSON.stringify(denials)}::jsonb) AS n("workspaceId" uuid, "apiKeyId" uuid, count int)
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (workspace_id, api_key_id) DO UPDATE SET
      count = CASE WHEN d.since <= now() - interval '1 hour' THEN excluded.count
        ELSE least(d.count::bigint + excluded.count, 2147483647)::int END,
      since = CASE WHEN d.since <= now() - interval '1 hour' THEN excluded.since ELSE d.since END`,
  [[[]]],
)
