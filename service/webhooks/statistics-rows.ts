// Counts and durations of deliveries in spans of time, for any number of webhooks in one statement, and newest
// requests.
import { webhookRequestsAmong, webhookRequestsMax, type WebhookRequest } from '#contract/usage.ts'
import type { Stats, Webhook } from '#contract/webhook-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { column, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'

export type Span = { readonly webhookId: string; readonly from: Date; readonly to: Date }

const hourMs = 3_600_000
const dayHours = 24
/** Percentiles are computed from so many of a span's newest deliveries. */
const sampleMax = 500

/** One span for each webhook: the 24 hours up to now. */
const lastDay = (webhookIds: readonly string[], now: Date): Span[] =>
  webhookIds.map((webhookId) => ({ webhookId, from: new Date(now.getTime() - dayHours * hourMs), to: now }))

/** The 24 full hours (from :00 to :00 UTC) up to the current one, which is the last. */
export function hoursOf(webhookId: string, now: Date): Span[] {
  const end = (Math.floor(now.getTime() / hourMs) + 1) * hourMs
  return Array.from({ length: dayHours }, (_, n) => end - (dayHours - n) * hourMs).map((from) => ({
    webhookId,
    from: new Date(from),
    to: new Date(from + hourMs),
  }))
}

const readStats = query(
  {
    delivered: column.int,
    failed: column.int,
    pending: column.int,
    retrying: column.int,
    p50Ms: column.int.orNull,
    p95Ms: column.int.orNull,
  },
  (workspaceId: string, spans: string) => Prisma.sql`
    SELECT c.delivered, c.failed, c.pending, c.retrying, l.p50 AS "p50Ms", l.p95 AS "p95Ms"
    FROM jsonb_to_recordset(${spans}::jsonb)
      AS span(n int, webhook_id uuid, since timestamptz, until timestamptz)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
             count(*) FILTER (WHERE status = 'dead_letter')::int AS failed,
             count(*) FILTER (WHERE status IN ('pending', 'retrying'))::int AS pending,
             count(*) FILTER (WHERE status = 'retrying')::int AS retrying
      FROM delivery
      WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = span.webhook_id
        AND created_at >= span.since AND created_at < span.until
      OFFSET 0
    ) c
    CROSS JOIN LATERAL (
      SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) AS p50,
             percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) AS p95
      FROM (
        SELECT id FROM delivery
        WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = span.webhook_id
          AND created_at >= span.since AND created_at < span.until AND status = 'delivered'
        ORDER BY created_at DESC LIMIT ${sampleMax}::int
      ) d
      CROSS JOIN LATERAL (
        SELECT duration_ms FROM attempt
        WHERE workspace_id = ${workspaceId}::uuid AND delivery_id = d.id AND outcome = 'success' OFFSET 0
      ) a
    ) l
    ORDER BY span.n`,
)

/**
 * Returns one for each span, in their order. Counts are read from an index alone; OFFSET 0 and LIMIT keep Postgres from
 * merging the subqueries.
 */
export async function statsOf(db: Db, workspaceId: string, spans: readonly Span[]): Promise<Stats[]> {
  if (spans.length === 0) return []
  const asked = spans.map(({ webhookId, from, to }, n) => ({ n, webhook_id: webhookId, since: from, until: to }))
  return readStats(db, workspaceId, JSON.stringify(asked))
}

const readNextDue = query(
  { webhookId: column.uuid, at: column.time.present },
  (workspaceId: string, webhookIds: readonly string[]) => Prisma.sql`
    SELECT w.id AS "webhookId", next.at FROM unnest(${webhookIds}::uuid[]) AS w(id) CROSS JOIN LATERAL (
      SELECT next_attempt_at AS at FROM delivery
      WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = w.id AND next_attempt_at IS NOT NULL
      ORDER BY next_attempt_at LIMIT 1
    ) next WHERE next.at < ${heldUntil}`,
)

/** What callers see of webhooks beside their rows. */
export type Figures = {
  readonly stats24h: Stats
  /** When the next delivery comes due, whether or not it may be sent then; null if none waits for a time. */
  readonly nextDueAt: Date | null
}

export const noFigures: Figures = {
  stats24h: { delivered: 0, failed: 0, pending: 0, retrying: 0, p50Ms: null, p95Ms: null },
  nextDueAt: null,
}

/** Of a webhook that was changed: the counts of its deliveries are those of before. */
export async function figuresAfter(db: Db, { workspaceId, id, stats24h }: Webhook): Promise<Figures> {
  const [next] = await readNextDue(db, workspaceId, [id])
  return { stats24h, nextDueAt: next?.at ?? null }
}

/** Returns one for each webhook, in their order. */
export async function figuresOf(
  db: Db,
  workspaceId: string,
  webhookIds: readonly string[],
  now: Date,
): Promise<Figures[]> {
  if (webhookIds.length === 0) return []
  const stats = await statsOf(db, workspaceId, lastDay(webhookIds, now))
  const due = new Map((await readNextDue(db, workspaceId, webhookIds)).map(({ webhookId, at }) => [webhookId, at]))
  return webhookIds.map((id, n) => ({ stats24h: stats[n] ?? noFigures.stats24h, nextDueAt: due.get(id) ?? null }))
}

/** The deliveries are found by an index, their attempts by key. */
export const newestRequests = query(
  {
    at: column.time,
    deliveryId: column.uuid,
    eventType: column.text,
    number: column.int,
    trigger: column.text.of<WebhookRequest['trigger']>(),
    status: column.int.orNull,
    errorCode: column.text.orNull,
    ms: column.int,
  },
  (workspaceId: string, webhookId: string) => Prisma.sql`
    SELECT a.started_at AS at, a.delivery_id AS "deliveryId", d.event_type AS "eventType", a.number, a.trigger,
           a.response_status AS status, a.error_code AS "errorCode", a.duration_ms AS ms
    FROM (
      SELECT id, event_type FROM delivery
      WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${webhookId}::uuid
      ORDER BY created_at DESC LIMIT ${webhookRequestsAmong}::int
    ) d
    JOIN attempt a ON a.workspace_id = ${workspaceId}::uuid AND a.delivery_id = d.id
    ORDER BY a.started_at DESC, a.delivery_id, a.number DESC LIMIT ${webhookRequestsMax}::int`,
)
