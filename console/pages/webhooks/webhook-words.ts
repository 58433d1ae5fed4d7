// A webhook in words. Pure.
import type { ApiKey } from '#contract/api-keys.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { counted } from '../../app/delivery-words.ts'
import type { Tone } from '../../ui/tone.ts'
import { conditionsOf, partWords } from './conditions.ts'

export const webhookStates: Readonly<Record<Webhook['status'], { readonly label: string; readonly tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  paused: { label: 'Paused', tone: 'neutral' },
  disabled: { label: 'Disabled', tone: 'bad' },
}

/** How it is doing, in a sentence. */
export function healthLine(webhook: Webhook): string {
  const { status, disabledReason, consecutiveFailures, circuit, stats24h } = webhook
  if (status === 'disabled')
    return `Disabled. ${disabledReason ?? 'No deliveries are sent until the webhook is enabled.'}`
  if (status === 'paused') return 'Paused. Deliveries are held for up to 72 hours until the webhook is enabled.'
  if (circuit.state !== 'closed') return restLine(circuit)
  if (consecutiveFailures > 0)
    return `The last ${consecutiveFailures === 1 ? 'attempt' : `${consecutiveFailures} attempts`} failed. Failed deliveries are retried with increasing delays.`
  const { delivered, failed, pending } = stats24h
  if (delivered + failed + pending === 0) return 'Healthy. No deliveries in the last 24 hours.'
  return failed === 0
    ? 'Healthy. All deliveries succeeded.'
    : `Healthy, with ${counted(failed, 'dead letter')} in the last 24 hours.`
}

/** `half_open`: its time is over, and nothing has been heard of the delivery that is sent to see. */
const restLine = ({ state, openUntil }: Webhook['circuit']): string =>
  state === 'open' && openUntil !== null
    ? `The receiver failed several times in a row. Deliveries are held until ${clock.format(new Date(openUntil))} without using up attempts. Then one delivery is sent as a probe.`
    : 'The receiver failed several times in a row. One delivery is now sent as a probe.'

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

export const healthTone = ({ status, consecutiveFailures }: Webhook): 'good' | 'warn' | 'bad' | 'info' =>
  status === 'disabled' ? 'bad' : status === 'paused' ? 'info' : consecutiveFailures > 0 ? 'warn' : 'good'

type Choice = { readonly id: string; readonly label: string }

/** Returns usable keys by name, and all chosen keys in any status. */
export function keyChoices(
  keys: readonly Pick<ApiKey, 'id' | 'name' | 'status'>[],
  chosen: readonly string[],
): Choice[] {
  const listed = keys
    .filter(({ id, status }) => chosen.includes(id) || (status !== 'revoked' && status !== 'expired'))
    .map(({ id, name, status }) => ({ id, label: status === 'revoked' ? `${name} (revoked)` : name }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const gone = chosen.filter((id) => !keys.some((key) => key.id === id))
  return [...listed, ...gone.map((id) => ({ id, label: id }))]
}

/** One line for each part of a filter; none where everything passes. */
export const filterLines = (filter: Webhook['filter']): string[] => [
  ...(filter?.changedFields ? [`Changed fields: ${filter.changedFields.join(', ')}`] : []),
  ...(filter?.projectIds ? [`Projects: ${filter.projectIds.join(', ')}`] : []),
  ...(filter?.kinds ? [`CRM entity kinds: ${filter.kinds.join(', ')}`] : []),
  ...conditionsOf(filter?.values).map(({ field, part, text }) => `${field} ${partWords[part] ?? part} ${text}`),
]
