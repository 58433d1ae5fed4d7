// The health of webhooks: how a batch of results, in the order in which they came, changes it, and how it is written in
// the transaction of these results. A webhook that is given up here gets nothing more from this moment on; the service
// then changes its status and records the event.
import type { AttemptResult } from '../attempt/deliver.ts'
import { verdictOn } from '../attempt/retry-decision.ts'
import { failingDaysMax, failuresMin, warningPercents } from '#contract/webhook-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { updateCircuits } from '../queue/circuit.ts'

type JudgedAttempt = {
  readonly delivery: Pick<AttemptResult['delivery'], 'workspaceId' | 'id' | 'webhookId'>
  readonly startedAt: Date
  readonly outcome: AttemptResult['outcome']
  readonly command: AttemptResult['command']
  readonly answer: AttemptResult['answer']
}
export type HealthChange = {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly failures: number
  /** There was a success: `failures` counts from it on, and replaces the stored count. */
  readonly recovered: boolean
  /** When the first of these failures began. */
  readonly failing_since: Date | null
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

const goneStatus = 410

export function healthChanges(results: readonly JudgedAttempt[]): HealthChange[] {
  const changes = new Map<string, HealthChange>()
  for (const result of results) {
    const { workspaceId, webhookId } = result.delivery
    const before = changes.get(webhookId) ?? { workspace_id: workspaceId, webhook_id: webhookId, ...unchanged }
    changes.set(webhookId, { ...after(before, result), ...circuitAfter(before, result) })
  }
  return [...changes.values()]
}

const unchanged = {
  failures: 0,
  recovered: false,
  failing_since: null,
  gone: null,
  answered: false,
  unhealthy_ids: [],
  unhealthy_more: 0,
  unhealthy_least: 0,
}

function circuitAfter(before: HealthChange, { answer, delivery }: JudgedAttempt) {
  const { answered, unhealthy_ids, unhealthy_more, unhealthy_least } = before
  if (verdictOn(answer) !== 'unhealthy')
    return {
      answered: true,
      unhealthy_ids,
      unhealthy_more: unhealthy_more - 1,
      unhealthy_least: Math.max(0, unhealthy_least - 1),
    }
  return {
    answered,
    unhealthy_ids: [...unhealthy_ids, delivery.id],
    unhealthy_more: unhealthy_more + 1,
    unhealthy_least: unhealthy_least + 1,
  }
}

function after(before: HealthChange, { outcome, startedAt, answer, command }: JudgedAttempt): HealthChange {
  const gone = before.gone ?? whyGone(answer, command)
  if (outcome.kind === 'delivered') return { ...before, gone, failures: 0, recovered: true, failing_since: null }
  return {
    ...before,
    gone,
    failures: before.failures + 1,
    failing_since: before.failing_since ?? startedAt,
  }
}

function whyGone(answer: JudgedAttempt['answer'], command: JudgedAttempt['command']): HealthChange['gone'] {
  if (answer.kind === 'answered' && answer.status === goneStatus) return 'gone'
  return command === 'disable' ? 'asked' : null
}

/** Resolves to the ids of the webhooks whose circuits are open now. */
export async function writeWebhookHealth(
  tx: Prisma.TransactionClient,
  results: readonly AttemptResult[],
): Promise<string[]> {
  const changes = healthChanges(results)
  const changed = await applyChanges(tx, changes)
  const open = changed === 0 ? [] : await updateCircuits(tx, healthSet(changes))
  const failing = changes.filter(({ failures }) => failures > 0)
  if (failing.length > 0) await giveUpFailing(tx, failing)
  return open.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))
}

/** Of the row `h`: a success changes it. */
export const hasTroubles = Prisma.sql`(h.consecutive_failures > 0 OR h.unwell > 0 OR h.circuit_open_until IS NOT NULL)`

// Selects the rows that change first: a conflict would lock its row even when nothing is written. A healthy webhook has
// no row, or one that stays as it is, so most batches neither write nor wait here. Gone stays gone, whatever a request
// that was still on its way has brought: only enabling the webhook resets it.
const applyChanges = (tx: Prisma.TransactionClient, changes: readonly HealthChange[]): Promise<number> =>
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

// The rows are locked already, so each step is passed once, whichever dispatcher counts.
const giveUpFailing = (tx: Prisma.TransactionClient, changes: readonly HealthChange[]): Promise<number> =>
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
         answered boolean, unhealthy_ids uuid[], unhealthy_more int, unhealthy_least int)`

const recovered = (changes: readonly HealthChange[]): string[] =>
  changes.filter((change) => change.recovered).map(({ webhook_id }) => webhook_id)
