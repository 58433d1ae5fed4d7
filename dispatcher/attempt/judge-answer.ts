// What one answer, or the lack of one, means for its delivery. Pure.
import type { DeliveryError } from '#contract/delivery-errors.ts'
import type { Answer } from './send.ts'

export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead' }

export type Tries = { /** This one included. */ readonly made: number; readonly max: number }

const retryAfterMaxMs = 24 * 3_600_000

/** 2xx is success, everything else is not. A receiver may ask for a longer wait than planned, never for a shorter. */
export function outcomeOf(answer: Answer, tries: Tries, plannedDelayMs: number, now: Date): Outcome {
  if (isSuccess(answer)) return { kind: 'delivered' }
  if (tries.made >= tries.max) return { kind: 'dead' }
  const asked = answer.kind === 'answered' ? retryAfterMs(answer.headers['retry-after'], now) : 0
  return { kind: 'retry', delayMs: Math.max(plannedDelayMs, Math.min(asked, retryAfterMaxMs)) }
}

/** The class of a failure; null for a success. Never says where a name led to. */
export function errorCodeOf(answer: Answer): DeliveryError | null {
  if (answer.kind === 'failed') return answer.error
  return isSuccess(answer) ? null : 'http_status'
}

const isSuccess = (answer: Answer): boolean => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

/** Seconds or a date; 0 for anything else. */
function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
