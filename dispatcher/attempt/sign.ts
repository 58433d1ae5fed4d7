// Two signatures on every request, so that receivers can use the library that they have: ours in `x-<brand>-signature`,
// and that of Standard Webhooks. Pure. The same secret gives a different key for each: ours uses the whole text of the
// secret, Standard Webhooks the bytes that are written in base64 behind `whsec_`.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { ownHeaders, standardHeaders } from '#contract/webhook-headers.ts'

export type SignedContent = {
  readonly deliveryId: string
  readonly eventType: string
  /** The exact bytes of the body. */
  readonly body: Buffer
  readonly unixSeconds: number
}

/** Of one secret. As keys: to find out each time that a text is none costs as much as a signature. */
export type SigningKeys = { readonly own: KeyObject; readonly standard: KeyObject }

const secretPrefix = 'whsec_'

export const signingKeys = (secret: string): SigningKeys => ({
  own: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(keyBytes(secret)),
})

/** One signature per live secret, newest first, so that receivers can change over in their own time. */
export function signatureHeaders(
  brand: string,
  signed: SignedContent,
  secrets: readonly SigningKeys[],
): Record<string, string> {
  const { deliveryId, eventType, body, unixSeconds } = signed
  const timestamp = String(unixSeconds)
  const own = secrets.map(({ own: key }) => `v1=${mac(key, `${timestamp}.`, body).toString('hex')}`)
  const standard = secrets.map(
    ({ standard: key }) => `v1,${mac(key, `${deliveryId}.${timestamp}.`, body).toString('base64')}`,
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

const mac = (key: KeyObject, head: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(head).update(body).digest()

const keyBytes = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64')
