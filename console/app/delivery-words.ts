// A delivery and its attempts in words. Pure.
import type { Attempt, Delivery, DeliveryStatus } from '#contract/deliveries.ts'
import { deliveryErrors, type DeliveryError } from '#contract/delivery-errors.ts'
import type { Tone } from '../ui/tone.ts'

export const statusWords: Readonly<Record<DeliveryStatus, { readonly label: string; readonly tone: Tone }>> = {
  pending: { label: 'Not sent yet', tone: 'accent' },
  retrying: { label: 'Retrying', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'good' },
  dead_letter: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const originWords: Readonly<Record<Delivery['origin'], string>> = {
  live: 'Event',
  replay: 'Resend',
  test: 'Test',
}

export const spans = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const
export type Span = keyof typeof spans
export const spanMs: Readonly<Record<Span, number>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 }

/** In any state. What is held since a restore is sent by the operator alone. */
export const canResend = (delivery: Delivery): boolean => !isHeld(delivery)

const isHeld = ({ status, lastErrorCode }: Delivery): boolean =>
  isWaiting({ status }) && lastErrorCode === 'held_after_restore'

export const isWaiting = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'pending' || status === 'retrying'

/** Explains a failed attempt in a sentence; null if there is nothing to explain. */
export function whyNot(code: string | null, status: number | null): string | null {
  if (code === null) return null
  if (code === 'http_status' && status !== null) return `The endpoint returned ${status}${statusHint(status)}.`
  return deliveryErrors[code as DeliveryError] ?? `The attempt failed: ${code}.`
}

function statusHint(status: number): string {
  if (status === 410) return ' (gone), so the webhook was disabled'
  if (status === 401 || status === 403)
    return ' and rejected the request. Check that it verifies the signature with the right secret'
  if (status === 404) return ': there is nothing at this URL. Check the endpoint URL of the webhook'
  if (status >= 300 && status < 400)
    return ', a redirect. Redirects are not followed: change the endpoint URL of the webhook'
  if (status === 429) return ': too many requests. The delivery is retried later'
  return status >= 500 ? ', a server error. Check the logs of your endpoint' : ''
}

/** Returns a sentence on the next step of a delivery. */
export function nextStep(delivery: Delivery, nowMs: number): string {
  const { status, nextAttemptAt, attemptCount, maxAttempts } = delivery
  if (status === 'delivered') return 'Delivered. No further attempts are made.'
  if (status === 'cancelled') return 'Cancelled: the webhook was deleted or no longer has access to this event type.'
  if (status === 'dead_letter')
    return `Failed after ${counted(attemptCount, 'attempt')}. Use Resend to send it again with the same ID.`
  if (isHeld(delivery))
    return 'This delivery is on hold because the installation was restored from a backup. Ask the operator of this installation to release it.'
  const sofar = attemptCount === 0 ? 'Not sent yet. ' : ''
  if (nextAttemptAt === null)
    return `${sofar}Waiting: either an earlier delivery must finish first (this webhook sends in order), or the webhook must be enabled.`
  const waitMs = Date.parse(nextAttemptAt) - nowMs
  const attempt = `attempt ${attemptCount + 1} of ${maxAttempts}`
  return waitMs <= 0
    ? `${sofar}Next attempt is due now: ${attempt}.`
    : `${sofar}Next attempt at ${timeText(nextAttemptAt)}, in ${spanText(waitMs)}: ${attempt}.`
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const dayAndClock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** `14:20:05`, with the date on any other day than today. */
export function timeText(at: string): string {
  const time = new Date(at)
  return (time.toDateString() === new Date().toDateString() ? clock : dayAndClock).format(time)
}

export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** `840 ms`, `12 s`, `5 min 20 s`, `3 h 5 min`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)]
  if (hours > 0) return `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
  return `${minutes} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`
}

/** Returns the time between the end of the previous attempt and the start of this one. */
export const waitBefore = (attempt: Attempt, before: Attempt | undefined): number | null =>
  before === undefined
    ? null
    : Math.max(0, Date.parse(attempt.startedAt) - Date.parse(before.startedAt) - before.durationMs)
