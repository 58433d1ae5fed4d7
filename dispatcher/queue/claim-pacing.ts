// When the claimer looks again, and where. Pure.
import { start } from './claim-due.ts'

export type Round = {
  /** The webhook after which the next span begins. */
  readonly after: string
  /** When the next row comes due, of those that this round has seen, counted from the end of the last span. */
  readonly nextDueMs: number
  /** There was more than was taken. */
  readonly more: boolean
}
export type Span = {
  readonly upTo: string | null
  readonly nextDueMs: number | null
  readonly tookMs: number
  /** It took as much as it was asked for, so that there may be more; a full batch is worth going on at once. */
  readonly more: boolean
  readonly full: boolean
}

export const firstSpan: Round = { after: start, nextDueMs: Infinity, more: false }
export const sleepMaxMs = 1_000
/** It looks for at most a tenth of the time, however many webhooks there are and however slow the database is. */
const restPerWork = 9

export function afterSpan(round: Round, { upTo, nextDueMs, tookMs, ...span }: Span): { pauseMs: number; next: Round } {
  const restMs = span.full ? 0 : Math.min(tookMs * restPerWork, sleepMaxMs)
  const soonestMs = Math.min(round.nextDueMs - tookMs, nextDueMs ?? Infinity)
  const more = round.more || span.more
  if (upTo !== null) return { pauseMs: restMs, next: { after: upTo, nextDueMs: soonestMs - restMs, more } }
  const waitMs = more ? 0 : Math.min(Math.max(0, soonestMs), sleepMaxMs)
  return { pauseMs: Math.max(restMs, waitMs), next: firstSpan }
}
