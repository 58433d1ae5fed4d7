// The id of a delivery is a function of its event and its webhook, so whatever is done twice (a notification, a sweep, a send after
// a crash) carries the same id, and a receiver can tell. It sorts by the time of the event.
import { hash } from 'node:crypto'

/** A UUID version 7: 48 bits of the event's time, the rest from SHA-256 of both ids. */
export function deliveryId(eventId: string, webhookId: string): string {
  const time = eventId.replaceAll('-', '').slice(0, 12).toLowerCase()
  const bits = hash('sha256', `${eventId}:${webhookId}`.toLowerCase(), 'hex')
  const variant = (8 + (Number.parseInt(bits.charAt(3), 16) & 3)).toString(16)
  return [time.slice(0, 8), time.slice(8), `7${bits.slice(0, 3)}`, variant + bits.slice(4, 7), bits.slice(7, 19)].join(
    '-',
  )
}
