// Policies of the credentials: the token that a caller presents, and what its key may be used for. The operator's token
// is compared here; whether an API key exists is for the key cache to say (keys/key-cache.ts).
import { timingSafeEqual } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { secretLabels } from '#contract/api-keys.ts'
import { isWellFormed, tokenHash, tokenHashHex } from '#runtime/bearer-tokens.ts'
import type { Key } from '../keys/key.ts'
import { policyFault } from '#contract/key-policy.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { insufficientScope } from '#contract/faults/fault.ts'
import type { Surface } from '#contract/surface.ts'

/** Returns the token of `Authorization: Bearer <token>`; throws `missing_credentials`. */
export function bearerToken(authorization: string | undefined): string {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new Fault('missing_credentials', 'Send the header Authorization: Bearer <key>.')
  return token
}

/** Returns the SHA-256 in hex, by which the service finds a key; null when the token is not in the form of a key. */
export const keyHash = (token: string): string | null =>
  isWellFormed(secretLabels.workspace, token) || isWellFormed(secretLabels.sandbox, token) ? tokenHashHex(token) : null

export const unknownCredentials = (): Fault => new Fault('invalid_api_key', 'There is no API key with this secret.')

/** Compares hashes in constant time, so that timing tells nothing of the tokens, not even their length. */
export function isTokenOf(presented: string, expectedHashes: readonly Buffer[]): boolean {
  const hash = tokenHash(presented)
  return expectedHashes.map((expected) => timingSafeEqual(hash, expected)).includes(true)
}

/**
 * Refuses a key that is revoked, expired or of a suspended member. An old secret whose overlap is over counts as
 * expired: the key itself may well have a newer one.
 */
export function checkState(key: Key, now: number): void {
  if (key.revoked) throw new Fault('api_key_revoked', 'This key was revoked.')
  if (key.expiresAt <= now) throw new Fault('api_key_expired', 'This key or its secret has expired.')
  if (key.suspended) throw new Fault('api_key_suspended', 'The member who owns this key is suspended.')
}

/** Refuses a secret that is older than the key's own rotation policy allows. */
export function checkSecretAge({ rotateBy }: Key, now: number): void {
  if (rotateBy <= now) throw policyFault('maxKeyAgeDays')
}

export function checkHasScopes({ scopes }: Key): void {
  if (scopes.length === 0) throw new Fault('api_key_has_no_scopes', 'This key has no scopes.')
}

/** `needed` is null for an operation that needs none. */
export function checkScope({ scopes }: Key, needed: Scope | null): void {
  if (needed === null || covers(scopes, needed)) return
  throw insufficientScope(needed)
}

/** Refuses a key that may not be used over this protocol. */
export function checkSurface({ surfaces }: Key, surface: Surface): void {
  if (!surfaces.includes(surface))
    throw new Fault('surface_not_allowed', `This key cannot be used over ${surface.toUpperCase()}.`)
}
