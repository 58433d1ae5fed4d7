// Whether a call that failed is sent again, and after how long. Pure.
import { retryableCodes } from './operations.ts'

/** Why it failed. `code` is null where no problem of the API came, such as from a balancer. */
export type Failure =
  | { readonly kind: 'unanswered' }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: string | null
      readonly retryAfterSeconds: number | null
    }

/** A longer wait is for the caller to decide on: the call fails. */
const waitSecondsMax = 60
const backOffMs = 500
const backOffMsMax = 8_000
const spreadMs = 1_000
const passingStatuses = new Set([408, 429, 502, 503, 504])

/**
 * Null: not again. `mayRepeat`: it acts once, however often it arrives; any other call is repeated only after an answer
 * that says that nothing was done. `random` is from 0 to 1.
 */
export function retryDelayMs(
  failure: Failure,
  { attempt, mayRepeat, random }: { readonly attempt: number; readonly mayRepeat: boolean; readonly random: number },
): number | null {
  const backOff = Math.min(backOffMs * 2 ** attempt, backOffMsMax)
  if (failure.kind === 'unanswered') return mayRepeat ? backOff * (0.5 + random / 2) : null
  const { status, code, retryAfterSeconds } = failure
  const mayPass = code === null ? passingStatuses.has(status) : retryableCodes.includes(code)
  if (!mayPass || (!mayRepeat && !(code !== null && [429, 503].includes(status)))) return null
  if (retryAfterSeconds === null) return backOff * (0.5 + random / 2)
  // Never earlier than we were told to, and not all at once.
  return retryAfterSeconds > waitSecondsMax ? null : retryAfterSeconds * 1_000 + random * spreadMs
}

/** `Retry-After` in seconds, or as a date. */
export function retryAfterIn(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - nowMs) / 1_000)
}
