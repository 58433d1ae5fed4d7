// What the receiver's answer, or the lack of one, means for its delivery. Pure.
import type { DeliveryError } from '#contract/delivery-errors.ts'
import type { Verdict } from '../queue/webhook-slots.ts'
import type { Answer } from './send.ts'

export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead' }

/** Since the last replay; `made` includes the one that is judged. */
export type Attempts = { readonly made: number; readonly max: number }

const retryAfterMaxMs = 24 * 3_600_000

/** 2xx is success, everything else is not. Retry-After may ask for a longer delay than planned, never for a shorter one. */
export function judgeAnswer(answer: Answer, attempts: Attempts, plannedDelayMs: number, now: Date): Outcome {
  if (isSuccess(answer)) return { kind: 'delivered' }
  if (attempts.made >= attempts.max) return { kind: 'dead' }
  const askedMs = answer.kind === 'answered' ? retryAfterMs(answer.headers['retry-after'], now) : 0
  return { kind: 'retry', delayMs: Math.max(plannedDelayMs, Math.min(askedMs, retryAfterMaxMs)) }
}

/** Returns null for a success. The code never tells which address a host name resolved to. */
export function answerErrorCode(answer: Answer): DeliveryError | null {
  if (answer.kind === 'failed') return answer.error
  return isSuccess(answer) ? null : 'http_status'
}

/** A receiver is unwell when it cannot be reached, takes too long, has too much to do or fails by itself. */
export function verdictOn(answer: Answer): Verdict {
  if (isSuccess(answer)) return 'delivered'
  return answer.kind === 'failed' || answer.status >= 500 || tooMuch.has(answer.status) ? 'unwell' : 'refused'
}

/** Request Timeout, Too Early, Too Many Requests. */
const tooMuch: ReadonlySet<number> = new Set([408, 425, 429])

const isSuccess = (answer: Answer): boolean => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

/** Retry-After (RFC 9110, section 10.2.3), seconds or a date, in ms from `now`; 0 for anything else. */
function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
