// Verifies deliveries of webhooks. Each has two signatures, with keys that are derived differently from one secret; one
// of them is enough.
import type { ApiEvent } from './feed.ts'

type HeaderValue = string | readonly string[] | null | undefined
export type WebhookHeaders = Headers | Readonly<Record<string, HeaderValue>>

export type WebhookOptions = {
  /** `whsec_…`; several while the secret is replaced. */
  readonly secret: string | readonly string[]
  /** `standard` is that of Standard Webhooks, `own` that in `x-<brand>-signature`. Default: `standard`. */
  readonly scheme?: 'standard' | 'own' | undefined
  /** The setting `BRAND` of the installation, for `own`. Default: `service`. */
  readonly brand?: string | undefined
  /** How far the time of the signature may be from ours. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  readonly now?: (() => Date) | undefined
}

export type Delivery = {
  /** The same in every attempt: keep it, and drop a delivery that was taken before. */
  readonly id: string
  readonly event: ApiEvent
}

/** Answer 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const toleranceSecondsDefault = 300
const keyBytesMin = 24
const prefix = 'whsec_'
const encoder = new TextEncoder()

/** `body` is what was sent, byte for byte, before any parser. Throws a WebhookError for what is not genuine. */
export async function verifyWebhook(
  body: Uint8Array | string,
  headers: WebhookHeaders,
  { secret, scheme = 'standard', brand = 'service', toleranceSeconds = toleranceSecondsDefault, now }: WebhookOptions,
): Promise<Delivery> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const { id, timestamp, signatures, head } = scheme === 'standard' ? standard(headers) : own(headers, brand)
  const seconds = (now?.() ?? new Date()).getTime() / 1_000
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('The delivery has no signature of this kind.')
  if (Math.abs(seconds - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The time of the signature is too far from ours.')
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const each of secrets) {
    const key = await imported(keyBytes(each, scheme))
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, joined(encoder.encode(head), bytes)))
        return { id, event: JSON.parse(new TextDecoder().decode(bytes)) as ApiEvent }
  }
  throw new WebhookError('No signature fits the body and the secret.')
}

/** Signs as the installation does: for tests of a receiver. Returns all headers of a delivery. */
export async function signWebhook(
  body: Uint8Array | string,
  {
    secret,
    id,
    unixSeconds,
    brand = 'service',
    type = '',
  }: {
    readonly secret: string
    readonly id: string
    readonly unixSeconds: number
    readonly brand?: string | undefined
    readonly type?: string | undefined
  },
): Promise<Record<string, string>> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const timestamp = String(unixSeconds)
  const sign = async (scheme: 'standard' | 'own', head: string): Promise<Uint8Array> =>
    new Uint8Array(
      await crypto.subtle.sign('HMAC', await imported(keyBytes(secret, scheme)), joined(encoder.encode(head), bytes)),
    )
  const hex = Array.from(await sign('own', `${timestamp}.`), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...(await sign('standard', `${id}.${timestamp}.`))))}`,
    [`x-${brand}-delivery-id`]: id,
    [`x-${brand}-signature-timestamp`]: timestamp,
    [`x-${brand}-signature`]: `t=${timestamp},v1=${hex}`,
    [`x-${brand}-event`]: type,
  }
}

type Signed = {
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly Uint8Array<ArrayBuffer>[]
  readonly head: string
}

function standard(headers: WebhookHeaders): Signed {
  const id = headerIn(headers, 'webhook-id')
  const timestamp = headerIn(headers, 'webhook-timestamp')
  const signatures = headerIn(headers, 'webhook-signature')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? decoded(() => fromBase64(each.slice(3))) : []))
  return { id, timestamp, signatures, head: `${id}.${timestamp}.` }
}

function own(headers: WebhookHeaders, brand: string): Signed {
  const parts = headerIn(headers, `x-${brand}-signature`).split(',')
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  const signatures = parts.flatMap((part) => (part.startsWith('v1=') ? decoded(() => fromHex(part.slice(3))) : []))
  return { id: headerIn(headers, `x-${brand}-delivery-id`), timestamp, signatures, head: `${timestamp}.` }
}

/** Names of headers in any case, as servers give them. */
function headerIn(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/** Anybody could sign with an empty key. */
function keyBytes(secret: string, scheme: 'standard' | 'own'): Uint8Array<ArrayBuffer> {
  const [bytes = new Uint8Array()] = decoded(() => fromBase64(secret.replace(prefix, '')))
  if (bytes.length < keyBytesMin) throw new Error('This is no secret of a webhook: it begins with whsec_.')
  return scheme === 'standard' ? bytes : encoder.encode(secret)
}

function decoded(read: () => Uint8Array<ArrayBuffer>): [Uint8Array<ArrayBuffer>] | [] {
  try {
    return [read()]
  } catch {
    return []
  }
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Error('This is no hex.')
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

const imported = (key: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}
