// What a caller presents. Whether an API key exists is asked elsewhere; the operator's token is compared here.
import { timingSafeEqual } from 'node:crypto'
import { Fault } from '#contract/fault.ts'
import { secretLabel } from '#contract/api-key-schema.ts'
import { isWellFormed, tokenHash } from '#runtime/bearer-tokens.ts'

/** The token of `Authorization: Bearer <token>`. */
export function bearerToken(authorization: string | undefined): string {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new Fault('missing_credentials', 'Send the header Authorization: Bearer <key>.')
  return token
}

/** SHA-256 in hex, by which the service finds a key; null for what no key of ours looks like. */
export const keyHash = (token: string): string | null =>
  isWellFormed(secretLabel, token) ? tokenHash(token).toString('hex') : null

export const unknownCredentials = (): Fault => new Fault('invalid_api_key', 'This token is not known here.')

/** Equal hashes, compared in constant time: nothing is told of the token, not even its length. */
export const isToken = (presented: string, expectedHash: Buffer): boolean =>
  timingSafeEqual(tokenHash(presented), expectedHash)
