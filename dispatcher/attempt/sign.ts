// Two signatures on every request, so that receivers can use the library that they have: ours in `x-<brand>-signature`,
// and that of Standard Webhooks. Pure. The same secret gives a different key for each: ours uses the whole text of the
// secret, Standard Webhooks the bytes that are written in base64 behind `whsec_`.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { unsignedHeaders, type Requested } from '#contract/internal/deliveries.ts'
import { ownHeaders, standardHeaders } from '#contract/webhook-headers.ts'

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
