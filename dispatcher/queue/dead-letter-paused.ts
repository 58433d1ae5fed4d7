// Dead-letters deliveries that have waited too long for a webhook that is paused or disabled.
import type { Database } from '#prisma/client.ts'
import { loop, type Loop } from '#runtime/loop.ts'

const everyMs = 5 * 60_000
const batchMax = 500
/** How long a delivery may wait for a reason that its receiver cannot mend. */
export const waitHoursMax = 72

export const startExpiry = (db: Database, onError: (error: unknown) => void): Loop =>
  loop(async () => ((await expireWaiting(db)) === batchMax ? 0 : everyMs), onError)

/** Returns the number of deliveries. Counts from the end of the active state, so that a pause does not expire old ones. */
export const expireWaiting = (db: Database): Promise<number> =>
  db.$executeRaw`
    WITH expired AS (
      SELECT d.workspace_id, d.id
      FROM webhook w JOIN delivery d ON d.workspace_id = w.workspace_id AND d.webhook_id = w.id
      WHERE w.status <> 'active' AND w.deleted_at IS NULL
        AND w.status_changed_at < now() - ${waitHoursMax}::int * interval '1 hour'
        AND d.created_at < now() - ${waitHoursMax}::int * interval '1 hour'
        AND d.status IN ('pending', 'retrying')
      LIMIT ${batchMax}::int
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE delivery d
    SET status = 'dead_letter', dead_lettered_at = now(), last_error_code = 'webhook_paused',
        next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL, sending_since = NULL
    FROM expired WHERE d.workspace_id = expired.workspace_id AND d.id = expired.id`
