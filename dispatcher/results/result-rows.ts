// Writes attempt results to the rows, one batch in one transaction. Late results are fenced: a success counts whoever
// reports it, a failure only from the owner of the lease, and for the attempt that the lease was for.
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { writeWebhookHealth } from './webhook-health-rows.ts'

type Tx = Prisma.TransactionClient

export type WrittenResults = {
  /** How many results counted. */
  readonly accepted: number
  /** The webhooks whose circuits are open now. */
  readonly open: readonly string[]
}

/** Takes locks in the one order that everybody keeps: webhooks, deliveries, webhook health; each by id. */
export async function writeResultRows(
  db: Database,
  owner: string,
  results: readonly AttemptResult[],
): Promise<WrittenResults> {
  const rows = JSON.stringify(results.map(toRow))
  return db.$transaction(async (tx) => {
    await lockWebhooks(tx, rows)
    const accepted = new Set(await apply(tx, owner, rows))
    const open = await writeWebhookHealth(
      tx,
      results.filter(({ delivery }) => accepted.has(delivery.id)),
    )
    return { accepted: accepted.size, open }
  })
}

const lockWebhooks = (tx: Tx, rows: string): Promise<unknown> =>
  tx.$queryRaw`
    SELECT 1 AS locked FROM webhook w WHERE EXISTS (
      SELECT FROM jsonb_to_recordset(${rows}::jsonb) AS r(workspace_id uuid, webhook_id uuid)
      WHERE r.workspace_id = w.workspace_id AND r.webhook_id = w.id
    ) ORDER BY w.id FOR KEY SHARE`

/** Returns the ids of the deliveries whose results count. */
// Joined by key: a row that was changed while its lock was awaited has another ctid than when the statement began.
async function apply(tx: Tx, owner: string, rows: string): Promise<string[]> {
  const accepted = await tx.$queryRaw<{ id: string }[]>`
    WITH result AS (
      SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r(
        workspace_id uuid, id uuid, attempt_count int, kind text, delay_ms int, trigger text, started_at timestamptz, duration_ms int, timings jsonb,
        url text, payload text, request_headers jsonb, response_status int, response_headers jsonb, response_body text, truncated boolean, error_code text)
    ), locked AS (
      SELECT d.workspace_id, d.id FROM delivery d JOIN result r ON r.workspace_id = d.workspace_id AND r.id = d.id
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
        last_error_code = r.error_code,
        delivered_at = CASE WHEN r.kind = 'delivered' THEN now() END,
        dead_lettered_at = CASE WHEN r.kind = 'dead' THEN now() END,
        lease_owner = NULL,
        lease_until = NULL,
        sending_since = NULL
      FROM locked l JOIN result r ON r.workspace_id = l.workspace_id AND r.id = l.id
      WHERE d.workspace_id = l.workspace_id AND d.id = l.id
        AND CASE WHEN r.kind = 'delivered' THEN d.status IN ('pending', 'retrying', 'dead_letter')
                 ELSE d.status IN ('pending', 'retrying') AND d.lease_owner = ${owner} AND d.attempt_count = r.attempt_count END
      RETURNING d.workspace_id, d.id, d.attempt_count
    )
    INSERT INTO attempt (workspace_id, delivery_id, number, trigger, started_at, duration_ms, timings, url, payload, request_headers,
                         response_status, response_headers, response_body, truncated, outcome, error_code)
    SELECT a.workspace_id, a.id, a.attempt_count, r.trigger, r.started_at, r.duration_ms, r.timings, r.url, r.payload, r.request_headers,
           r.response_status, r.response_headers, r.response_body, r.truncated,
           CASE WHEN r.kind = 'delivered' THEN 'success' ELSE 'failed' END, r.error_code
    FROM applied a JOIN result r ON r.workspace_id = a.workspace_id AND r.id = a.id
    RETURNING delivery_id AS id`
  return accepted.map(({ id }) => id)
}

function toRow({
  delivery,
  trigger,
  startedAt,
  durationMs,
  requestHeaders,
  answer,
  errorCode,
  outcome,
}: AttemptResult) {
  const response = answer.kind === 'answered' ? answer : null
  return {
    workspace_id: delivery.workspaceId,
    id: delivery.id,
    webhook_id: delivery.webhookId,
    attempt_count: delivery.attemptCount,
    kind: outcome.kind,
    delay_ms: outcome.kind === 'retry' ? outcome.delayMs : null,
    trigger,
    started_at: startedAt,
    duration_ms: durationMs,
    timings: response?.timings ?? null,
    url: delivery.url,
    payload: delivery.payload,
    request_headers: requestHeaders,
    response_status: response?.status ?? null,
    response_headers: response?.headers ?? null,
    response_body: response?.body ?? null,
    truncated: response?.truncated ?? false,
    error_code: errorCode,
  }
}
