// A replayed delivery of an ordered webhook goes to the end of its line: behind what was recorded before the replay, and
// ahead of every later event. What may be sent when is the dispatcher's to decide.
import type { Db } from '../execution/call.ts'

/** Those among these that stand in no line stay as they are. Several keep their order among each other. */
export async function rejoinLine(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE delivery d SET next_attempt_at = NULL, place = moved.place
    FROM (
      SELECT r.id, greatest(q.last, behind.place) + row_number() OVER (ORDER BY r.place) / 1e12 AS place
      FROM event_sequence q JOIN delivery r ON r.workspace_id = q.workspace_id CROSS JOIN LATERAL (
        SELECT place FROM delivery
        WHERE workspace_id = r.workspace_id AND webhook_id = r.webhook_id AND order_key = r.order_key AND order_key IS NOT NULL
          AND status IN ('pending', 'retrying') ORDER BY place DESC LIMIT 1
      ) behind
      WHERE r.workspace_id = ${workspaceId}::uuid AND r.id = ANY (${ids}::uuid[]) AND r.order_key IS NOT NULL
    ) moved
    WHERE d.workspace_id = ${workspaceId}::uuid AND d.id = moved.id`
}
