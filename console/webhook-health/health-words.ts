// How a webhook is doing, in words: the same on the overview, the list, its page and the pages of its deliveries. Pure.
import type { Webhook } from '#contract/webhook-schema.ts'
import { shareText } from '../charts/share-text.ts'
import type { Tone } from '../ui/tone.ts'
import { counted, timeText, whyNot } from '../app/delivery-words.ts'

export const webhookStates: Readonly<Record<Webhook['status'], { readonly label: string; readonly tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  paused: { label: 'Paused', tone: 'neutral' },
  disabled: { label: 'Disabled', tone: 'bad' },
}

export const isFailing = ({ status, health }: Webhook): boolean => status === 'active' && health.state === 'failing'

/** In a badge. */
export const stateOf = (webhook: Webhook): { readonly label: string; readonly tone: Tone } =>
  isFailing(webhook) ? { label: 'Failing', tone: 'bad' } : webhookStates[webhook.status]

/** How it is doing, in a sentence. */
export function healthLine(webhook: Webhook): string {
  const { status, disabledReason, health, stats24h } = webhook
  if (status === 'disabled')
    return `Disabled. ${disabledReason ?? 'No deliveries are sent until the webhook is enabled.'}`
  if (status === 'paused')
    return 'Paused. Deliveries are held until you enable the webhook, for at most 72 hours. After that, they fail.'
  if (health.state === 'failing') return `Failing${sinceText(health.failingSince)}. ${reasonOf(webhook)}`
  const { delivered, failed, pending, retrying } = stats24h
  if (delivered + failed + pending === 0) return 'No deliveries in the last 24 hours.'
  const exceptions = [
    ...(failed > 0 ? [counted(failed, 'failed delivery', 'failed deliveries')] : []),
    ...(retrying > 0 ? [`${counted(retrying, 'delivery', 'deliveries')} being retried`] : []),
  ]
  if (exceptions.length > 0) return `Healthy, with ${exceptions.join(' and ')} in the last 24 hours.`
  if (delivered === 0) return 'No delivery has been sent yet.'
  return pending > 0 ? 'Healthy. All deliveries so far succeeded.' : 'Healthy. All deliveries succeeded.'
}

const sinceText = (since: string | null): string => (since === null ? '' : ` since ${timeText(since)}`)

function reasonOf({ health: { lastErrorCode, lastStatusCode }, consecutiveFailures }: Webhook): string {
  const times = `${counted(consecutiveFailures, 'attempt')} failed${consecutiveFailures > 1 ? ' in a row' : ''}.`
  return `${whyNot(lastErrorCode, lastStatusCode) ?? 'The endpoint did not accept the last delivery.'} ${times}`
}

/** When the next attempt is made, and what the circuit has to do with it. */
export function nextAttemptLine({ health: { nextAttemptAt }, circuit }: Webhook): string {
  if (circuit.state === 'half_open')
    return 'One waiting delivery is being sent first to check the endpoint. If it succeeds, the others are sent.'
  if (nextAttemptAt === null) return 'No delivery is waiting.'
  return circuit.openUntil === null
    ? `Next attempt at ${timeText(nextAttemptAt)}.`
    : `Sending is paused until ${timeText(circuit.openUntil)}. Then one waiting delivery is sent to check the endpoint, and if that succeeds, the others are sent. Waiting does not count as an attempt.`
}

/** Null where nothing was to be delivered. */
export function failedShareLine({ health: { failedShare, state }, stats24h }: Webhook): string | null {
  if (failedShare === null) return null
  const { delivered, failed, pending, retrying } = stats24h
  const missing = failed + (state === 'failing' ? pending : retrying)
  const all = delivered + missing
  return `${missing} of ${all} deliveries of the last 24 hours (${shareText(missing, all)}) have not been delivered.`
}

export function healthTone({ status, health, stats24h }: Webhook): 'good' | 'bad' | 'info' {
  if (status === 'disabled') return 'bad'
  if (status === 'paused') return 'info'
  if (health.state === 'failing') return 'bad'
  // Nothing is known of an endpoint to which nothing was sent.
  return stats24h.delivered + stats24h.failed + stats24h.retrying === 0 ? 'info' : 'good'
}
