// The signed request of one attempt, and what of it is stored, to be shown later. It is signed for the time of this
// attempt, so that a receiver may refuse old timestamps and still take the tenth attempt. When it cannot be signed, the
// fault is ours and not the receiver's: nothing is ever sent unsigned.
import { deliveredEvent, storedHeaders } from '#contract/internal/deliveries.ts'
import {
  signingKeys,
  webhookRequest,
  type SigningKeys,
  type WebhookMessage,
} from '#contract/internal/webhook-request.ts'
import { UnknownSealingKey } from '#runtime/keyring.ts'
import { storedTrace } from '#runtime/tracing/trace-context.ts'
import type { LoadedDelivery } from '../queue/delivery-rows.ts'

export type Request = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** What of the headers is stored with the attempt. */
  readonly stored: Readonly<Record<string, string>>
}
export type BuiltRequest =
  | { readonly kind: 'ready'; readonly request: Request }
  | { readonly kind: 'unsignable'; readonly reason: UnsignableReason; readonly error?: unknown }

type UnsignableReason =
  | 'a sealing key is missing'
  | 'no secret opens'
  | 'the custom headers do not open'
  | 'signing fails'

type Headers = Readonly<Record<string, string>>
export type RequestSettings = {
  readonly brand: string
  readonly openSecret: OpenKept<SigningKeys>
  readonly openHeaders: OpenKept<Headers>
}

/** `open` opens what the service has sealed. */
export const requestSettings = (brand: string, open: Open): RequestSettings => ({
  brand,
  openSecret: keepingOpener((sealed, context) => signingKeys(open(sealed, context))),
  // The service has checked the headers.
  openHeaders: keepingOpener((sealed, context) => JSON.parse(open(sealed, context)) as Headers),
})

/** `at` is the time of the attempt, `traceparent` what it hands on of its trace. */
export function buildRequest(
  delivery: LoadedDelivery,
  settings: RequestSettings,
  at: Date,
  traceparent: string,
): BuiltRequest {
  const opened = attempted(() => openSecrets(settings.openSecret, delivery))
  if (opened.error !== undefined) return { kind: 'unsignable', reason: 'a sealing key is missing', error: opened.error }
  const secrets = opened.value
  if (secrets.length === 0) return { kind: 'unsignable', reason: 'no secret opens' }
  const customHeaders = attempted(() => openHeaders(settings.openHeaders, delivery))
  if (customHeaders.error !== undefined)
    return { kind: 'unsignable', reason: 'the custom headers do not open', error: customHeaders.error }
  const { id: deliveryId, payload, trace } = delivery
  const isOfEvent = trace !== null && trace === storedTrace(traceparent)
  const traced = { traceparent, isOfEvent }
  const message = {
    deliveryId,
    ...deliveredEvent(delivery),
    payload,
    secrets,
    customHeaders: customHeaders.value,
    traced,
  }
  const request = attempted(() => requestOf(message, settings.brand, at))
  if (request.error !== undefined) return { kind: 'unsignable', reason: 'signing fails', error: request.error }
  return { kind: 'ready', request: request.value }
}

export type Message = Omit<WebhookMessage, 'traceparent'> & {
  /** `isOfEvent`: the event is stored with it. */
  readonly traced: { readonly traceparent: string; readonly isOfEvent: boolean }
}

export function requestOf(message: Message, brand: string, at: Date): Request {
  const { traceparent, isOfEvent } = message.traced
  const { headers, body } = webhookRequest({ ...message, traceparent }, brand, at)
  const own = Object.keys(message.customHeaders).map((name) => name.toLowerCase())
  return { headers, body, stored: storedHeaders(brand, own, isOfEvent ? null : traceparent) }
}

/**
 * The secrets that open. Each is sealed to its own row: one that was moved or changed does not open. Throws where only
 * a key is missing: what is signed with the other secrets alone could be refused by a receiver who knows the newest.
 */
const openSecrets = (open: OpenKept<SigningKeys>, { sealedSecrets }: LoadedDelivery): SigningKeys[] =>
  sealedSecrets.flatMap(({ id, sealed }) => {
    const { value, error } = attempted(() => open(sealed, `webhook-secret:${id}`))
    if (error instanceof UnknownSealingKey) throw error
    return value ?? []
  })

const openHeaders = (open: OpenKept<Headers>, { webhookId, sealedHeaders }: LoadedDelivery): Headers =>
  sealedHeaders === null ? {} : open(sealedHeaders, `webhook-headers:${webhookId}`)

type Attempted<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: Error }

function attempted<T>(work: () => T): Attempted<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

export type Open<T = string> = (sealed: Uint8Array, context: string) => T
/** `sealed` in base64, as rows bring it. */
export type OpenKept<T> = (sealed: string, context: string) => T

type Bounds = { readonly max: number; readonly keptMs: number; readonly now?: () => number }
type Opened<T> = { readonly sealed: string; readonly plain: T; readonly until: number }

const bounds: Bounds = { max: 1_000, keptMs: 60_000 }

/**
 * Opens sealed values once and keeps them for a short time: a busy webhook has its secret opened for each attempt. A
 * value is kept by the row that it belongs to (`context`), together with its sealed bytes: a row that was changed is
 * opened anew. A value that does not open is not kept, so that it opens as soon as it can. Throws what `open` throws.
 */
export function keepingOpener<T>(
  open: Open<T>,
  { max, keptMs, now = () => performance.now() }: Bounds = bounds,
): OpenKept<T> {
  // In the order in which they were opened, which is that in which their time is over.
  const kept = new Map<string, Opened<T>>()

  function drop(at: number): void {
    for (const [context, { until }] of kept) {
      if (until > at && kept.size <= max) return
      kept.delete(context)
    }
  }

  return (sealed, context) => {
    const at = now()
    const known = kept.get(context)
    if (known !== undefined && known.until > at && known.sealed === sealed) return known.plain
    kept.delete(context)
    const plain = open(Buffer.from(sealed, 'base64'), context)
    kept.set(context, { sealed, plain, until: at + keptMs })
    drop(at)
    return plain
  }
}
