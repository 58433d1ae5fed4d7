// Two signatures on every request, so that receivers can use the library that they have: ours in `x-<brand>-signature`,
// and that of Standard Webhooks. Pure. The same secret gives a different key for each: ours uses the whole text of the
// secret, Standard Webhooks the bytes that are written in base64 behind `whsec_`.
import { createHmac, type BinaryLike } from 'node:crypto'
import { ownHeaders, standardHeaders } from '#contract/webhook-headers.ts'

export type SignedContent = {
  readonly deliveryId: string
  readonly eventType: string
  /** The exact bytes of the body. */
  readonly body: Buffer
  readonly unixSeconds: number
}

const secretPrefix = 'whsec_'

/** One signature per live secret, newest first, so that receivers can change over in their own time. */
export function signatureHeaders(
  brand: string,
  signed: SignedContent,
  secrets: readonly string[],
): Record<string, string> {
  const { deliveryId, eventType, body, unixSeconds } = signed
  const timestamp = String(unixSeconds)
  const own = secrets.map((secret) => `v1=${mac(secret, `${timestamp}.`, body).toString('hex')}`)
  const standard = secrets.map(
    (secret) => `v1,${mac(keyBytes(secret), `${deliveryId}.${timestamp}.`, body).toString('base64')}`,
  )
  const names = ownHeaders(brand)
  return {
    [names.event]: eventType,
    [names.deliveryId]: deliveryId,
    [names.timestamp]: timestamp,
    [names.signature]: [`t=${timestamp}`, ...own].join(','),
    [standardHeaders.deliveryId]: deliveryId,
    [standardHeaders.timestamp]: timestamp,
    [standardHeaders.signature]: standard.join(' '),
  }
}

export const isSignature = (brand: string, header: string): boolean =>
  header === ownHeaders(brand).signature || header === standardHeaders.signature

const mac = (key: BinaryLike, head: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(head).update(body).digest()

const keyBytes = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64')
