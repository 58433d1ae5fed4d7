// How the attempts at each webhook were answered, for people to see: counted in memory and written once a minute, one
// statement for all webhooks. What a killed process has not written is lost: these are figures, not the ledger.
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { waitAtMost } from '#runtime/timeout.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { addedTallies, tallyOf, type AttemptTallies } from './attempt-tallies.ts'

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
