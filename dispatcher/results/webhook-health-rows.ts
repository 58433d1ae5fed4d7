// The health of webhooks, written with the results that it follows from. A webhook that is given up here gets nothing
// more from this moment on; the service makes the change of its state, and the event, out of the note.
import { Prisma } from '#prisma/generated/client.ts'
import type { Result } from '../attempt/attempt.ts'
import { healthOf, type HealthChange } from './webhook-health.ts'

type Tx = Prisma.TransactionClient

/** A webhook is given up when nothing has reached it for so long, in so many tries. */
export const failingDaysMax = 5
export const failuresMin = 20

export async function writeHealth(tx: Tx, results: readonly Result[]): Promise<void> {
  const changes = healthOf(results)
  await move(tx, changes)
  const failing = changes.filter(({ failures }) => failures > 0)
  if (failing.length > 0) await giveUp(tx, failing)
}

// Those that change are chosen first: a conflict would lock its row even where nothing is written. A healthy webhook has
// no row, or one that stays as it is, so most batches neither write nor wait here. Gone stays gone, whatever a request
// that was on its way still brought: only enabling the webhook takes it back.
const move = (tx: Tx, changes: readonly HealthChange[]): Promise<number> =>
  tx.$executeRaw`
    INSERT INTO webhook_health AS h (workspace_id, webhook_id, consecutive_failures, failing_since, gone_at, gone_reason)
    SELECT workspace_id, webhook_id, failures, failing_since, CASE WHEN gone THEN now() END, CASE WHEN gone THEN 'gone' END
    FROM ${healthSet(changes)}
    WHERE r.failures > 0 OR EXISTS (
      SELECT FROM webhook_health known
      WHERE known.workspace_id = r.workspace_id AND known.webhook_id = r.webhook_id AND known.consecutive_failures > 0
    )
    ORDER BY webhook_id
    ON CONFLICT (workspace_id, webhook_id) DO UPDATE SET
      consecutive_failures = excluded.consecutive_failures
        + CASE WHEN excluded.webhook_id = ANY (${anew(changes)}::uuid[]) THEN 0 ELSE h.consecutive_failures END,
      failing_since = CASE WHEN excluded.webhook_id = ANY (${anew(changes)}::uuid[]) THEN excluded.failing_since
                           ELSE coalesce(h.failing_since, excluded.failing_since) END,
      gone_at = coalesce(h.gone_at, excluded.gone_at),
      gone_reason = coalesce(h.gone_reason, excluded.gone_reason)`

const giveUp = (tx: Tx, changes: readonly HealthChange[]): Promise<number> =>
  tx.$executeRaw`
    UPDATE webhook_health h SET gone_at = now(), gone_reason = 'failing'
    FROM ${healthSet(changes)}
    WHERE h.workspace_id = r.workspace_id AND h.webhook_id = r.webhook_id AND h.gone_at IS NULL
      AND h.consecutive_failures >= ${failuresMin}::int
      AND h.failing_since <= now() - ${failingDaysMax}::int * interval '1 day'`

const healthSet = (changes: readonly HealthChange[]): Prisma.Sql =>
  Prisma.sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
    AS r(workspace_id uuid, webhook_id uuid, failures int, failing_since timestamptz, gone boolean)`

const anew = (changes: readonly HealthChange[]): string[] =>
  changes.filter((change) => change.anew).map(({ webhook_id }) => webhook_id)
