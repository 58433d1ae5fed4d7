// Writes attempt results to the rows, one batch in one transaction, or in one statement. Late results are fenced: a
// success counts from any dispatcher, a failure only from the owner of the lease, and for the attempt that the lease
// was for.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import { transact } from '#prisma/transaction.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { inSpanOf, oneByOne } from '../queue/rows.ts'
import { hasTroubles } from './health-rows.ts'
import { writeWebhookHealth } from './webhook-health.ts'

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

/** Takes locks in the one order of all transactions: webhooks, deliveries, webhook health; each by id. */
const writeWithHealth = (
  db: Database,
  owner: string,
  results: readonly AttemptResult[],
  rows: string,
): Promise<WrittenResults> =>
  transact(db, async (tx) => {
    await lockWebhooks(tx, results)
    const applied = await apply(tx, owner, rows, spanOf(results))
    const accepted = new Set(applied.map(({ id }) => id))
    const open = await writeWebhookHealth(
      tx,
      results.filter(({ delivery }) => accepted.has(delivery.id)),
    )
    return { accepted: accepted.size, open }
  })

const lockWebhooks = command(
  (results: readonly AttemptResult[]) => Prisma.sql`
    SELECT 1 FROM webhook
    WHERE workspace_id = ANY (${[...new Set(results.map(({ delivery }) => delivery.workspaceId))]}::uuid[])
      AND id = ANY (${[...new Set(results.map(({ delivery }) => delivery.webhookId))]}::uuid[])
    ORDER BY id FOR KEY SHARE`,
)

const spanOf = (results: readonly AttemptResult[]): Prisma.Sql => inSpanOf(results.map(({ delivery }) => delivery))

/** Returns the ids of the deliveries whose results count. */
// Joined by key: a row that was changed while its lock was awaited has another ctid than when the statement began.
const apply = query(
  { id: column.uuid },
  (owner: string, rows: string, span: Prisma.Sql) => Prisma.sql`
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
    ${recordApplied}`,
  [['', '[]', spanOf([])]],
)

const applyDelivered = query(
  { accepted: column.int, troubled: column.bool },
  (rows: string, span: Prisma.Sql) => Prisma.sql`
    WITH result AS MATERIALIZED (${resultRows(rows)}),
    troubled AS MATERIALIZED (
      SELECT EXISTS (
        SELECT FROM result r CROSS JOIN LATERAL (
          SELECT FROM webhook_health h WHERE h.workspace_id = r.workspace_id AND h.webhook_id = r.webhook_id AND ${hasTroubles}
          OFFSET 0
        ) known
      ) AS value
    ), applied AS (
      UPDATE delivery d SET
        status = 'delivered', attempt_count = d.attempt_count + 1, tries = d.tries + 1, next_attempt_at = NULL,
        last_status_code = r.response_status, last_error_code = NULL, delivered_at = now(), dead_lettered_at = NULL,
        lease_owner = NULL, lease_until = NULL, sending_since = NULL
      FROM result r
      WHERE NOT (SELECT value FROM troubled) AND d.workspace_id = r.workspace_id AND d.id = r.id AND ${span}
        AND d.status IN ('pending', 'retrying', 'dead_letter')
      RETURNING d.workspace_id, d.id, d.attempt_count
    ), recorded AS (${recordApplied})
    SELECT (SELECT count(*) FROM applied)::int AS accepted, (SELECT value FROM troubled) AS troubled`,
  [['[]', spanOf([])]],
)

/**
 * Writes results that are all successes, of webhooks that have not failed lately: nearly all there are. Nothing of such
 * a webhook changes with them, so one statement is enough, which locks nothing but the deliveries. `span` says where
 * the deliveries `d` are. Resolves to how many results count, or to null when nothing was written.
 */
async function writeDelivered(db: Database, rows: string, span: Prisma.Sql): Promise<number | null> {
  const [written] = await applyDelivered(db, rows, span)
  return written === undefined || written.troubled ? null : written.accepted
}

/** Results as the statements read them, in the order of their ids, in which deliveries are locked. */
const resultsAsJson = (results: readonly AttemptResult[]): string =>
  JSON.stringify(results.map(toRow).toSorted((one, other) => (one.id < other.id ? -1 : 1)))

const resultColumns = Prisma.sql`
  workspace_id uuid, id uuid, webhook_id uuid, attempt_count int, kind text, delay_ms int, trigger text,
  started_at timestamptz, duration_ms int, timings jsonb, url text, payload text, request_headers jsonb,
  response_status int, response_headers jsonb, response_body text, truncated boolean, error_code text, dead_reason text`

/** A query for the rows of this JSON. */
const resultRows = (json: string): Prisma.Sql =>
  Prisma.sql`SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS r(${resultColumns}) WHERE ${oneByOne}`

/** Records the attempts of the rows `applied`, whose results are the rows `result`. */
const recordApplied = Prisma.sql`
  INSERT INTO attempt (workspace_id, delivery_id, number, trigger, started_at, duration_ms, timings, url, payload, request_headers,
                       response_status, response_headers, response_body, truncated, outcome, error_code)
  SELECT a.workspace_id, a.id, a.attempt_count, r.trigger, r.started_at, r.duration_ms, r.timings, r.url, r.payload, r.request_headers,
         r.response_status, r.response_headers, r.response_body, r.truncated,
         CASE WHEN r.kind = 'delivered' THEN 'success' ELSE 'failed' END, r.error_code
  FROM applied a JOIN result r ON r.workspace_id = a.workspace_id AND r.id = a.id
  RETURNING delivery_id AS id`

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
    dead_reason: outcome.kind === 'dead' ? (outcome.reason ?? null) : null,
  }
}
