// The status of a key, which is derived from dates and never stored, and which values a key may have. Pure.
import { Fault, forOperator } from '#contract/faults/fault.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { invalidValue } from '../faults/field-refusals.ts'

type State = {
  readonly revokedAt: Date | null
  readonly expiresAt: Date | null
  readonly rotateBy: Date | null
  readonly isSuspended: boolean
}

export function statusOf({ revokedAt, expiresAt, rotateBy, isSuspended }: State, now: Date): ApiKey['status'] {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  if (isSuspended) return 'suspended'
  return rotateBy !== null && rotateBy <= now ? 'rotation_due' : 'active'
}

export function assertNotPast(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now) throw invalidValue('/expiresAt', 'too_small', 'Lies in the past.')
}

/** Throws `validation_failed` when the key would violate a rule that another `expiresAt` or `ipAllowlist` satisfies. */
export function assertNoneViolated(rules: readonly PolicyRule[]): void {
  if (rules.includes('requireExpiry')) throw invalidValue('/expiresAt', 'required', 'The workspace demands an expiry.')
  if (rules.includes('requireIpAllowlist'))
    throw invalidValue('/ipAllowlist', 'required', 'The workspace demands an allowlist.')
}

/** Whoever may manage keys of one workspace could otherwise come to others by a key that reaches there. */
export function assertInReach({ kind }: Pick<Principal, 'kind'>, { bound }: { readonly bound: boolean }): void {
  if (kind === 'member' && !bound) throw forOperator('A key that acts in other workspaces')
}

export const assertNotRevoked = (revokedAt: Date | null): void => {
  if (revokedAt !== null)
    throw new Fault('invalid_transition', 'A revoked key stays revoked.', { from: 'revoked', allowed: [] })
}
