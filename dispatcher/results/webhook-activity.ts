// Counts how the attempts at each webhook were answered, for people to see: in memory, written once a minute by one
// statement for all webhooks. What a killed process has not written is lost: these are figures, not the ledger.
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { waitAtMost } from '#runtime/timeouts.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { attemptClasses, latencyBucketsCount, placeOfLatency, placeOfStatus } from '#contract/internal/reports.ts'

export type WebhookActivity = {
  count(results: readonly AttemptResult[]): void
  /** Writes what is counted, within a bound. */
  close(): Promise<void>
}

const writeEveryMs = 60_000
const webhooksPerStatementMax = 500
/** Attempts at more webhooks than this go uncounted until the next time. */
const webhooksMax = 20_000
const closeWaitMs = 2_000

export function webhookActivity(db: Database, onError: (error: unknown) => void): WebhookActivity {
  const held = batcher<AttemptTallies>({
    flush: (tallies) => addWebhookActivity(db, tallies),
    start: { waitMs: writeEveryMs },
    maxItems: webhooksPerStatementMax,
    maxWaiting: webhooksMax,
    merge: { keyOf: ({ webhookId }) => webhookId, combine: addedTallies },
    onError: (error) => {
      onError(error)
      return 'drop'
    },
  })
  return {
    count: (results) => held.add(...results.map(tallyOf)),
    close: () => waitAtMost(closeWaitMs, held.flush()),
  }
}

/** Webhooks that do not exist any more are skipped. In the order of their keys, so that no two of these deadlock. */
export async function addWebhookActivity(db: Database, tallies: readonly AttemptTallies[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO webhook_activity AS kept (workspace_id, unit, webhook_id, since, statuses, latency)
    SELECT w.workspace_id, span.unit, w.id, date_trunc(span.unit, a."until", 'UTC'), a."statuses", a."latency"
    FROM jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb)
      AS a("workspaceId" uuid, "webhookId" uuid, "until" timestamptz, "statuses" bigint[], "latency" bigint[])
    JOIN webhook w ON w.workspace_id = a."workspaceId" AND w.id = a."webhookId"
    CROSS JOIN (VALUES ('day'), ('hour')) AS span(unit)
    ORDER BY w.workspace_id, span.unit, w.id
    ON CONFLICT (workspace_id, unit, webhook_id, since) DO UPDATE SET
      statuses = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(kept.statuses, excluded.statuses) AS n(a, b)),
      latency = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(kept.latency, excluded.latency) AS n(a, b))`
}

/** How the attempts at one webhook were answered. */
export type AttemptTallies = {
  readonly workspaceId: string
  readonly webhookId: string
  /** When the last of them began: they all count in its hour. */
  readonly until: string
  readonly statuses: readonly number[]
  readonly latency: readonly number[]
}
type Counted = Pick<AttemptResult, 'startedAt' | 'durationMs' | 'answer'> & {
  readonly delivery: Pick<AttemptResult['delivery'], 'workspaceId' | 'webhookId'>
}

export function tallyOf({ delivery, startedAt, durationMs, answer }: Counted): AttemptTallies {
  const isAnswered = answer.kind === 'answered'
  const place = isAnswered ? placeOfStatus(answer.status) : attemptClasses.indexOf('noAnswer')
  return {
    workspaceId: delivery.workspaceId,
    webhookId: delivery.webhookId,
    until: startedAt.toISOString(),
    statuses: oneAt(place, attemptClasses.length),
    // Only answers tell how fast a receiver is.
    latency: oneAt(isAnswered ? placeOfLatency(durationMs) : -1, latencyBucketsCount),
  }
}

export const addedTallies = (one: AttemptTallies, other: AttemptTallies): AttemptTallies => ({
  ...one,
  until: one.until > other.until ? one.until : other.until,
  statuses: one.statuses.map((count, n) => count + (other.statuses[n] ?? 0)),
  latency: one.latency.map((count, n) => count + (other.latency[n] ?? 0)),
})

const oneAt = (place: number, length: number): number[] => Array.from({ length }, (_, n) => (n === place ? 1 : 0))
