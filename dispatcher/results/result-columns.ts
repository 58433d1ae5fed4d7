// Results as the statements read them: rows of JSON, and the attempt that is recorded for each that counts.
import { Prisma } from '#prisma/generated/client.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { oneByOne } from '../queue/leases.ts'

/** In the order of their ids, in which deliveries are locked. */
export const resultsAsJson = (results: readonly AttemptResult[]): string =>
  JSON.stringify(results.map(toRow).toSorted((one, other) => (one.id < other.id ? -1 : 1)))

const resultColumns = Prisma.sql`
  workspace_id uuid, id uuid, webhook_id uuid, attempt_count int, kind text, delay_ms int, trigger text,
  started_at timestamptz, duration_ms int, timings jsonb, url text, payload text, request_headers jsonb,
  response_status int, response_headers jsonb, response_body text, truncated boolean, error_code text, dead_reason text`

/** A query for the rows of this JSON. */
export const resultRows = (json: string): Prisma.Sql =>
  Prisma.sql`SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS r(${resultColumns}) WHERE ${oneByOne}`

/** Of the rows `applied`, whose results are the rows `result`. */
export const recordApplied = Prisma.sql`
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
