// When the claimer claims again, and from which webhook on. Pure.
import { beforeAllWebhooks } from './claim-due.ts'

export type Round = {
  /** The id of the webhook after which the next span begins. */
  readonly after: string
  /** The time from the end of the last span until the next row comes due, over all spans of this round. */
  readonly nextDueMs: number
  /** Whether rows were due that were not taken. */
  readonly more: boolean
}
export type Span = {
  readonly upTo: string | null
  readonly nextDueMs: number | null
  readonly tookMs: number
  /** Whether as many rows were taken as were asked for, so that there may be more. */
  readonly more: boolean
  /** Whether a full batch was taken, so that the next claim follows at once. */
  readonly full: boolean
}

export const firstSpan: Round = { after: beforeAllWebhooks, nextDueMs: Infinity, more: false }
export const sleepMaxMs = 1_000
/** Claiming takes at most a tenth of the time, however many webhooks there are and however slow the database is. */
const restPerWork = 9

export function afterSpan(round: Round, { upTo, nextDueMs, tookMs, ...span }: Span): { pauseMs: number; next: Round } {
  const restMs = span.full ? 0 : Math.min(tookMs * restPerWork, sleepMaxMs)
  const soonestMs = Math.min(round.nextDueMs - tookMs, nextDueMs ?? Infinity)
  const more = round.more || span.more
  if (upTo !== null) return { pauseMs: restMs, next: { after: upTo, nextDueMs: soonestMs - restMs, more } }
  const waitMs = more ? 0 : Math.min(Math.max(0, soonestMs), sleepMaxMs)
  return { pauseMs: Math.max(restMs, waitMs), next: firstSpan }
}
