// The statements that write the health of webhooks after a batch of results.
import { failingDaysMax, failuresMin, warningPercents } from '#contract/webhook-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import { circuitUpdate } from '../queue/circuit-rows.ts'

export type HealthChange = {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly failures: number
  /** There was a success: `failures` counts from it on, and replaces the stored count. */
  readonly recovered: boolean
  /** When the first of these failures began. */
  readonly failing_since: Date | null
  /** How the last of these failures ended; null without one, the status also where there was no answer. */
  readonly last_status_code: number | null
  readonly last_error_code: string | null
  /**
   * `gone`: the receiver has answered 410, there is nothing at this address any more. `asked`: it wants to be disabled.
   */
  readonly gone: 'gone' | 'asked' | null
  /** The receiver was healthy at least once. */
  readonly answered: boolean
  /** The deliveries that it was too unhealthy for. */
  readonly unhealthy_ids: readonly string[]
  /** Of n times unhealthy before, there are now n + `unhealthy_more`, and no fewer than `unhealthy_least`. */
  readonly unhealthy_more: number
  readonly unhealthy_least: number
}

/** Of the row `h`: a success changes it. */
export const hasTroubles = Prisma.sql`(h.consecutive_failures > 0 OR h.unwell > 0 OR h.circuit_open_until IS NOT NULL)`

// Selects the rows that change first: a conflict would lock its row even when nothing is written. A healthy webhook has
// no row, or one that stays as it is, so most batches neither write nor wait here. Gone stays gone, whatever a request
// that was still on its way has brought: only enabling the webhook resets it.
export const applyChanges = command(
  (changes: readonly HealthChange[]) => Prisma.sql`
    INSERT INTO webhook_health AS h (workspace_id, webhook_id, consecutive_failures, failing_since, last_status_code,
                                     last_error_code, gone_at, gone_reason)
    SELECT workspace_id, webhook_id, failures, failing_since, last_status_code, last_error_code,
           CASE WHEN gone IS NOT NULL THEN now() END, gone
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
      last_status_code = excluded.last_status_code,
      last_error_code = excluded.last_error_code,
      warned_percent = CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN 0 ELSE h.warned_percent END,
      told_percent = CASE WHEN excluded.webhook_id = ANY (${recovered(changes)}::uuid[]) THEN 0 ELSE h.told_percent END,
      gone_at = coalesce(h.gone_at, excluded.gone_at),
      gone_reason = coalesce(h.gone_reason, excluded.gone_reason)`,
  [[[]]],
)

// The rows are locked already, so each step is passed once, whichever dispatcher counts.
export const giveUpFailing = command(
  (changes: readonly HealthChange[]) => Prisma.sql`
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
      AND (passed.percent = 100 OR passed.percent > h.warned_percent)`,
)

const healthSet = (changes: readonly HealthChange[]): Prisma.Sql =>
  Prisma.sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
    AS r(workspace_id uuid, webhook_id uuid, failures int, failing_since timestamptz, last_status_code int,
         last_error_code text, gone text,
         answered boolean, unhealthy_ids uuid[], unhealthy_more int, unhealthy_least int)`

const recovered = (changes: readonly HealthChange[]): string[] =>
  changes.filter((change) => change.recovered).map(({ webhook_id }) => webhook_id)

export const updateCircuits = query({ id: column.uuid, isOpen: column.bool }, (changes: readonly HealthChange[]) =>
  circuitUpdate(healthSet(changes)),
)
