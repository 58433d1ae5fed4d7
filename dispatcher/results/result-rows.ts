// Writes attempt results to the rows, one batch in one transaction, or in one statement. Late results are fenced: a success counts whoever
// reports it, a failure only from the owner of the lease, and for the attempt that the lease was for.
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { inSpanOf } from '../queue/leases.ts'
import { writeDelivered } from './delivered-rows.ts'
import { recordApplied, resultRows, resultsAsJson } from './result-columns.ts'
import { writeWebhookHealth } from './webhook-health-rows.ts'

type Tx = Prisma.TransactionClient

export type WrittenResults = {
  /** How many results counted. */
  readonly accepted: number
  /** The webhooks whose circuits are open now. */
  readonly open: readonly string[]
}

/** Results that are all successes, or none of them. */
export async function writeResultRows(
  db: Database,
  owner: string,
  results: readonly AttemptResult[],
): Promise<WrittenResults> {
  const rows = resultsAsJson(results)
  const leaveHealth = results.every(({ outcome, command }) => outcome.kind === 'delivered' && command === null)
  const accepted = leaveHealth ? await writeDelivered(db, rows, spanOf(results)) : null
  return accepted === null ? writeWithHealth(db, owner, results, rows) : { accepted, open: [] }
}

/** Takes locks in the one order that everybody keeps: webhooks, deliveries, webhook health; each by id. */
const writeWithHealth = (
  db: Database,
  owner: string,
  results: readonly AttemptResult[],
  rows: string,
): Promise<WrittenResults> =>
  transact(db, async (tx) => {
    await lockWebhooks(tx, results)
    const accepted = new Set(await apply(tx, owner, rows, spanOf(results)))
    const open = await writeWebhookHealth(
      tx,
      results.filter(({ delivery }) => accepted.has(delivery.id)),
    )
    return { accepted: accepted.size, open }
  })

const lockWebhooks = (tx: Tx, results: readonly AttemptResult[]): Promise<unknown> =>
  tx.$queryRaw`
    SELECT 1 AS locked FROM webhook
    WHERE workspace_id = ANY (${[...new Set(results.map(({ delivery }) => delivery.workspaceId))]}::uuid[])
      AND id = ANY (${[...new Set(results.map(({ delivery }) => delivery.webhookId))]}::uuid[])
    ORDER BY id FOR KEY SHARE`

const spanOf = (results: readonly AttemptResult[]): Prisma.Sql => inSpanOf(results.map(({ delivery }) => delivery))

/** Returns the ids of the deliveries whose results count. */
// Joined by key: a row that was changed while its lock was awaited has another ctid than when the statement began.
async function apply(tx: Tx, owner: string, rows: string, span: Prisma.Sql): Promise<string[]> {
  const accepted = await tx.$queryRaw<{ id: string }[]>`
    WITH result AS (
      ${resultRows(rows)}
    ), locked AS (
      SELECT d.workspace_id, d.id FROM delivery d JOIN result r ON r.workspace_id = d.workspace_id AND r.id = d.id AND ${span}
      ORDER BY d.id FOR UPDATE OF d
    ), applied AS (
      UPDATE delivery d SET
        status = CASE r.kind WHEN 'delivered' THEN 'delivered' WHEN 'retry' THEN 'retrying' ELSE 'dead_letter' END,
        attempt_count = d.attempt_count + 1,
        tries = d.tries + 1,
        next_attempt_at = CASE WHEN r.kind = 'retry' AND 'active' = (
          SELECT w.status FROM webhook w WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id
        ) THEN now() + r.delay_ms * interval '1 millisecond' END,
        last_status_code = r.response_status,
        last_error_code = coalesce(r.dead_reason, r.error_code),
        delivered_at = CASE WHEN r.kind = 'delivered' THEN now() END,
        dead_lettered_at = CASE WHEN r.kind = 'dead' THEN now() END,
        lease_owner = NULL,
        lease_until = NULL,
        sending_since = NULL
      FROM locked l JOIN result r ON r.workspace_id = l.workspace_id AND r.id = l.id
      WHERE d.workspace_id = l.workspace_id AND d.id = l.id AND ${span}
        AND CASE WHEN r.kind = 'delivered' THEN d.status IN ('pending', 'retrying', 'dead_letter')
                 ELSE d.status IN ('pending', 'retrying') AND d.lease_owner = ${owner} AND d.attempt_count = r.attempt_count END
      RETURNING d.workspace_id, d.id, d.attempt_count
    )
    ${recordApplied}`
  return accepted.map(({ id }) => id)
}
