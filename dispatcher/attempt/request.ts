// The request of one attempt, and what of it may be shown later. Pure but for the time, which is an argument.
import { bodyOf, type Payload } from '#contract/event-envelope.ts'
import { isSignature, signatureHeaders } from './sign.ts'

export type Message = {
  readonly deliveryId: string
  readonly eventType: string
  readonly eventBody: string
  readonly payload: Payload
  readonly secrets: readonly string[]
  readonly customHeaders: Readonly<Record<string, string>>
}

export type Request = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The same headers without what only the receiver may know. */
  readonly shown: Readonly<Record<string, string>>
}

const mask = '***'

export function requestOf(message: Message, brand: string, at: Date): Request {
  const { deliveryId, eventType, customHeaders, secrets } = message
  const body = Buffer.from(bodyOf(message.eventBody, message.payload))
  const unixSeconds = Math.floor(at.getTime() / 1_000)
  const custom = Object.fromEntries(Object.entries(customHeaders).map(([name, value]) => [name.toLowerCase(), value]))
  const ours = {
    'content-type': 'application/json',
    'user-agent': `${brand}-webhooks/1`,
    ...signatureHeaders(brand, { deliveryId, eventType, body, unixSeconds }, secrets),
  }
  const masked = Object.keys(custom).map((name) => [name, mask])
  const shown = Object.entries(ours).map(([name, value]) => [name, isSignature(brand, name) ? mask : value])
  return { headers: { ...custom, ...ours }, body, shown: Object.fromEntries([...masked, ...shown]) }
}
