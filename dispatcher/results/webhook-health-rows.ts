// Writes the health of webhooks, in the transaction of the results that it follows from. A webhook that is given up here
// gets nothing more from this moment on; the service then changes its status and records the event.
import { Prisma } from '#prisma/generated/client.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { opensAt, restSecondsFirst, restSecondsMax } from '../queue/circuit.ts'
import { healthChanges, type HealthChange } from './webhook-health.ts'
import { failingDaysMax, failuresMin, warningPercents } from '#contract/webhook-schema.ts'

type Tx = Prisma.TransactionClient

/** Resolves to the ids of the webhooks whose circuits are open now. */
export async function writeWebhookHealth(tx: Tx, results: readonly AttemptResult[]): Promise<string[]> {
  const changes = healthChanges(results)
  const changed = await applyChanges(tx, changes)
  const open = changed === 0 ? [] : await turnCircuits(tx, changes)
  const failing = changes.filter(({ failures }) => failures > 0)
  if (failing.length > 0) await giveUpFailing(tx, failing)
  return open.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))
}

/** Of the row `h`: a success changes it. */
export const hasTroubles = Prisma.sql`(h.consecutive_failures > 0 OR h.unwell > 0 OR h.circuit_open_until IS NOT NULL)`

// Selects the rows that change first: a conflict would lock its row even when nothing is written. A healthy webhook has no
// row, or one that stays as it is, so most batches neither write nor wait here. Gone stays gone, whatever a request that
// was still on its way has brought: only enabling the webhook resets it.
const applyChanges = (tx: Tx, changes: readonly HealthChange[]): Promise<number> =>
  tx.$executeRaw`
    INSERT INTO webhook_health AS h (workspace_id, webhook_id, consecutive_failures, failing_since, gone_at, gone_reason)
    SELECT workspace_id, webhook_id, failures, failing_since, CASE WHEN gone IS NOT NULL THEN now() END, gone
    FROM ${healthSet(changes)}
    WHERE r.failures > 0 OR r.gone IS NOT NULL OR EXISTS (
      SELECT FROM webhook_health h WHERE h.workspace_id = r.workspace_id AND h.webhook_id = r.webhook_id AND ${hasTroubles}
    )
    ORDER BY webhook_id
    ON CONFLICT (workspace_id, webhook_id) DO UPDATE SET
      consecutive_failures = excluded.consecutive_failures
        + CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN 0 ELSE h.consecutive_failures END,
      failing_since = CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN excluded.failing_since
                           ELSE coalesce(h.failing_since, excluded.failing_since) END,
      warned_percent = CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN 0 ELSE h.warned_percent END,
      told_percent = CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN 0 ELSE h.told_percent END,
      gone_at = coalesce(h.gone_at, excluded.gone_at),
      gone_reason = coalesce(h.gone_reason, excluded.gone_reason)`

// The rows are locked already. While a circuit is open, requests that were on their way change nothing unless one is
// answered: only the probe makes the rest longer.
const turnCircuits = (tx: Tx, changes: readonly HealthChange[]): Promise<{ id: string; isOpen: boolean }[]> =>
  tx.$queryRaw`
    UPDATE webhook_health h SET
      unwell = CASE WHEN c.turn = 'count' THEN c.unwell ELSE h.unwell END,
      circuit_seconds = CASE WHEN c.turn = 'keep' THEN h.circuit_seconds ELSE c.seconds END,
      circuit_open_until = CASE WHEN c.turn = 'keep' THEN h.circuit_open_until
                                ELSE now() + c.seconds * (0.8 + 0.4 * random()) * interval '1 second' END,
      probe_id = CASE WHEN c.turn = 'keep' THEN h.probe_id END
    FROM (
      SELECT workspace_id, webhook_id, turn, unwell,
             CASE WHEN turn = 'longer' THEN least(2 * circuit_seconds, ${restSecondsMax}::int)
                  WHEN unwell >= ${opensAt}::int THEN ${restSecondsFirst}::int END AS seconds
      FROM (
        SELECT b.workspace_id, b.webhook_id, b.circuit_seconds,
               greatest(r.unwell_least, r.unwell_more + CASE WHEN b.circuit_seconds IS NULL THEN b.unwell ELSE 0 END) AS unwell,
               CASE WHEN b.circuit_seconds IS NULL OR r.answered THEN 'count'
                    WHEN b.probe_id = ANY (r.unwell_ids) THEN 'longer' ELSE 'keep' END AS turn
        FROM webhook_health b JOIN ${healthSet(changes)} ON r.workspace_id = b.workspace_id AND r.webhook_id = b.webhook_id
      ) judged
    ) c
    WHERE h.workspace_id = c.workspace_id AND h.webhook_id = c.webhook_id
      AND (h.unwell > 0 OR c.unwell > 0 OR h.circuit_seconds IS NOT NULL)
    RETURNING h.webhook_id AS id, h.circuit_seconds IS NOT NULL AS "isOpen"`

// The rows are locked already, so each step is passed once, whichever dispatcher counts.
const giveUpFailing = (tx: Tx, changes: readonly HealthChange[]): Promise<number> =>
  tx.$executeRaw`
    UPDATE webhook_health h SET
      warned_percent = passed.percent,
      gone_at = CASE WHEN passed.percent = 100 THEN now() END,
      gone_reason = CASE WHEN passed.percent = 100 THEN 'failing' END
    FROM (
      SELECT b.workspace_id, b.webhook_id, max(step.percent) AS percent
      FROM webhook_health b JOIN ${healthSet(changes)} ON r.workspace_id = b.workspace_id AND r.webhook_id = b.webhook_id
      CROSS JOIN unnest(${[...warningPercents, 100]}::int[]) AS step(percent)
      WHERE b.gone_at IS NULL AND b.consecutive_failures >= ${failuresMin}::int * step.percent / 100
        AND b.failing_since <= now() - ${failingDaysMax}::int * step.percent / 100.0 * interval '1 day'
      GROUP BY b.workspace_id, b.webhook_id
    ) passed
    WHERE h.workspace_id = passed.workspace_id AND h.webhook_id = passed.webhook_id
      AND (passed.percent = 100 OR passed.percent > h.warned_percent)`

const healthSet = (changes: readonly HealthChange[]): Prisma.Sql =>
  Prisma.sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
    AS r(workspace_id uuid, webhook_id uuid, failures int, failing_since timestamptz, gone text,
         answered boolean, unwell_ids uuid[], unwell_more int, unwell_least int)`

const recovered = (changes: readonly HealthChange[]): string[] =>
  changes.filter((change) => change.recovered).map(({ webhook_id }) => webhook_id)
