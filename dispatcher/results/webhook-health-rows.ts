// Writes the health of webhooks, in the transaction of the results that it follows from. A webhook that is given up here
// gets nothing more from this moment on; the service then changes its status and records the event.
import { Prisma } from '#prisma/generated/client.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { failingDaysMax, failuresMin, healthChanges, type HealthChange } from './webhook-health.ts'

type Tx = Prisma.TransactionClient

export async function writeWebhookHealth(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const changes = healthChanges(results)
  await applyChanges(tx, changes)
  const failing = changes.filter(({ failures }) => failures > 0)
  if (failing.length > 0) await giveUpFailing(tx, failing)
}

// Selects the rows that change first: a conflict would lock its row even when nothing is written. A healthy webhook has no
// row, or one that stays as it is, so most batches neither write nor wait here. Gone stays gone, whatever a request that
// was still on its way has brought: only enabling the webhook resets it.
const applyChanges = (tx: Tx, changes: readonly HealthChange[]): Promise<number> =>
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
        + CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN 0 ELSE h.consecutive_failures END,
      failing_since = CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN excluded.failing_since
                           ELSE coalesce(h.failing_since, excluded.failing_since) END,
      gone_at = coalesce(h.gone_at, excluded.gone_at),
      gone_reason = coalesce(h.gone_reason, excluded.gone_reason)`

const giveUpFailing = (tx: Tx, changes: readonly HealthChange[]): Promise<number> =>
  tx.$executeRaw`
    UPDATE webhook_health h SET gone_at = now(), gone_reason = 'failing'
    FROM ${healthSet(changes)}
    WHERE h.workspace_id = r.workspace_id AND h.webhook_id = r.webhook_id AND h.gone_at IS NULL
      AND h.consecutive_failures >= ${failuresMin}::int
      AND h.failing_since <= now() - ${failingDaysMax}::int * interval '1 day'`

const healthSet = (changes: readonly HealthChange[]): Prisma.Sql =>
  Prisma.sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
    AS r(workspace_id uuid, webhook_id uuid, failures int, failing_since timestamptz, gone boolean)`

const recovered = (changes: readonly HealthChange[]): string[] =>
  changes.filter((change) => change.recovered).map(({ webhook_id }) => webhook_id)
