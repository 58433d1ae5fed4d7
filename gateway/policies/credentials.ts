// The credentials that a caller presents. The operator's token is compared here; whether an API key exists is for the
// key cache to say.
import { timingSafeEqual } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { secretLabel } from '#contract/api-keys.ts'
import { isWellFormed, tokenHash, tokenHashHex } from '#runtime/bearer-tokens.ts'

/** Returns the token of `Authorization: Bearer <token>`; throws `missing_credentials`. */
export function bearerToken(authorization: string | undefined): string {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new Fault('missing_credentials', 'Send the header Authorization: Bearer <key>.')
  return token
}

/** Returns the SHA-256 in hex, by which the service finds a key; null when the token is not in the form of a key. */
export const keyHash = (token: string): string | null => (isWellFormed(secretLabel, token) ? tokenHashHex(token) : null)

export const unknownCredentials = (): Fault => new Fault('invalid_api_key', 'This token is not known here.')

/** Compares hashes in constant time, so that timing tells nothing of the token, not even its length. */
export const isToken = (presented: string, expectedHash: Buffer): boolean =>
  timingSafeEqual(tokenHash(presented), expectedHash)
