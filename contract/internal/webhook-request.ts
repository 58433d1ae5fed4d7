// The request of a delivery, as the dispatcher sends it, and the command line in its place: its id, its headers and its
// body. Two signatures are on every request, so that receivers can use the library that they have: ours in
// `x-<brand>-signature`, and that of Standard Webhooks. Pure. The same secret gives a different key for each: ours uses
// the whole text of the secret, Standard Webhooks the bytes that are written in base64 behind `whsec_`.
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { deliveryBody, type Payload } from '../event.ts'
import { ownHeaders, standardHeaders, traceHeader } from '../webhook-headers.ts'

type Headers = Readonly<Record<string, string>>

export type WebhookMessage = {
  readonly deliveryId: string
  readonly eventType: string
  readonly eventBody: string
  readonly payload: Payload
  readonly secrets: readonly SigningKeys[]
  readonly customHeaders: Headers
  readonly traceparent: string
}

/** `at`: the time that it is signed for. */
export function webhookRequest(message: WebhookMessage, brand: string, at: Date): { headers: Headers; body: Buffer } {
  const { deliveryId, eventType, customHeaders, secrets, traceparent } = message
  const body = Buffer.from(deliveryBody(message.eventBody, message.payload))
  const custom = Object.fromEntries(Object.entries(customHeaders).map(([name, value]) => [name.toLowerCase(), value]))
  const signed = { deliveryId, eventType, body, unixSeconds: unixSecondsOf(at), traceparent }
  return { headers: { ...custom, ...signedHeaders(brand, signed, secrets) }, body }
}

// The id of a delivery is a function of its event and its webhook, so whatever is done twice (a notification, a sweep,
// a send after a crash) carries the same id, and a receiver can tell. It sorts by the time of the event.

/** A UUID version 7: 48 bits of the event's time, the rest from SHA-256 of both ids. */
export function deliveryId(eventId: string, webhookId: string): string {
  const time = eventId.replaceAll('-', '').slice(0, 12).toLowerCase()
  const bits = hash('sha256', `${eventId}:${webhookId}`.toLowerCase(), 'hex')
  const variant = (8 + (Number.parseInt(bits.charAt(3), 16) & 3)).toString(16)
  return [time.slice(0, 8), time.slice(8), `7${bits.slice(0, 3)}`, variant + bits.slice(4, 7), bits.slice(7, 19)].join(
    '-',
  )
}

// The headers that say what it is.

export type Requested = {
  readonly deliveryId: string
  readonly eventType: string
  /** Of the beginning of the attempt: what it is signed for. */
  readonly unixSeconds: number
  /** Of the event. Null, or left out: it has none. */
  readonly traceparent?: string | null
}

export const userAgent = 'user-agent'
export const agentEnding = '-webhooks/1'
export const agentOf = (brand: string): string => brand + agentEnding

export const unixSecondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

/** All that are ours, but for the signatures. */
export function unsignedHeaders(
  brand: string,
  { deliveryId, eventType, unixSeconds, traceparent = null }: Requested,
): Record<string, string> {
  const names = ownHeaders(brand)
  const timestamp = String(unixSeconds)
  return {
    'content-type': 'application/json',
    [userAgent]: agentOf(brand),
    [names.event]: eventType,
    [names.deliveryId]: deliveryId,
    [names.timestamp]: timestamp,
    [standardHeaders.deliveryId]: deliveryId,
    [standardHeaders.timestamp]: timestamp,
    ...(traceparent !== null && { [traceHeader]: traceparent }),
  }
}

// The signatures.

/** `body`: its exact bytes. */
export type SignedContent = Requested & { readonly body: Buffer }

/** Of one secret. As keys: to find out each time that a text is none costs as much as a signature. */
export type SigningKeys = { readonly own: KeyObject; readonly standard: KeyObject }

const secretPrefix = 'whsec_'

export const signingKeys = (secret: string): SigningKeys => ({
  own: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(keyBytes(secret)),
})

/**
 * All headers of ours. One signature per live secret, newest first, so that receivers can change over in their own
 * time.
 */
export function signedHeaders(
  brand: string,
  signed: SignedContent,
  secrets: readonly SigningKeys[],
): Record<string, string> {
  const { deliveryId, body, unixSeconds } = signed
  const timestamp = String(unixSeconds)
  const own = secrets.map(({ own: key }) => `v1=${mac(key, `${timestamp}.`, body).toString('hex')}`)
  const standard = secrets.map(
    ({ standard: key }) => `v1,${mac(key, `${deliveryId}.${timestamp}.`, body).toString('base64')}`,
  )
  return {
    ...unsignedHeaders(brand, signed),
    [ownHeaders(brand).signature]: [`t=${timestamp}`, ...own].join(','),
    [standardHeaders.signature]: standard.join(' '),
  }
}

const mac = (key: KeyObject, head: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(head).update(body).digest()

const keyBytes = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64')
