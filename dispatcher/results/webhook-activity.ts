// Counts how the attempts at each webhook were answered, for people to see: in memory, written once a minute by one
// statement for all webhooks. What a killed process has not written is lost: these are figures, not the ledger.
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { waitAtMost } from '#runtime/timeouts.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { attemptClasses, latencyBucketsCount, placeOfLatency, placeOfStatus } from '#contract/internal/reports.ts'
import { addWebhookActivity, type AttemptTallies } from './activity-rows.ts'

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
    flush: async (tallies) => {
      await addWebhookActivity(db, tallies)
    },
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
