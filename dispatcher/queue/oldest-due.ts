// For how long the oldest delivery has been due, of receivers that do not get a rest. Like a claim it goes from webhook to webhook by the index, so that its
// cost is bounded by their number and not by that of the deliveries that wait.
import type { Database } from '#prisma/client.ts'

/** Of more, the first are looked at. */
const webhooksMax = 5_000

export async function oldestDueSeconds(db: Database): Promise<number> {
  const [found] = await db.$queryRaw<{ seconds: number }[]>`
    WITH RECURSIVE head AS (
      (SELECT workspace_id, webhook_id, next_attempt_at FROM delivery WHERE next_attempt_at IS NOT NULL
       ORDER BY webhook_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM head CROSS JOIN LATERAL (
        SELECT workspace_id, webhook_id, next_attempt_at FROM delivery
        WHERE webhook_id > head.webhook_id AND next_attempt_at IS NOT NULL
        ORDER BY webhook_id, next_attempt_at LIMIT 1
      ) next
    )
    SELECT coalesce(greatest(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float8 AS seconds
    FROM (SELECT * FROM head LIMIT ${webhooksMax}::int) first
    WHERE NOT EXISTS (
      SELECT FROM webhook_health h
      WHERE h.workspace_id = first.workspace_id AND h.webhook_id = first.webhook_id AND h.circuit_open_until IS NOT NULL
      OFFSET 0
    )`
  return found?.seconds ?? 0
}
