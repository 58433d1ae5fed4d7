// How attempts were answered, counted for each webhook. Pure.
import { attemptClasses, latencyBucketsCount, placeOfLatency, placeOfStatus } from '#contract/internal/reports.ts'
import type { AttemptResult } from '../attempt/deliver.ts'

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
    ...{ workspaceId: delivery.workspaceId, webhookId: delivery.webhookId, until: startedAt.toISOString() },
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
