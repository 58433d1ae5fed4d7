// The status of a key, derived from dates and never stored, and the checks of a key's values. Pure.
import type { ApiKey } from '#contract/api-keys.ts'
import { forOperator, Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { presetNamed, type PresetName } from '#contract/key-preset.ts'
import type { Scope } from '#contract/scopes.ts'
import { invalidValue } from '../../faults/shared-faults.ts'

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

/** Otherwise an admin of one workspace could reach others through a key that acts there. */
export function assertInReach({ kind }: Pick<Principal, 'kind'>, { bound }: { readonly bound: boolean }): void {
  if (kind === 'member' && !bound) throw forOperator('A key that acts in other workspaces')
}

export const assertNotRevoked = (revokedAt: Date | null): void => {
  if (revokedAt !== null)
    throw new Fault('invalid_transition', 'A revoked key stays revoked.', { from: 'revoked', allowed: [] })
}

type Given = { readonly scopes?: readonly Scope[]; readonly preset?: PresetName }

/** The scopes of a new key: exactly one of `scopes` and `preset` must be given. */
export function scopesOf({ scopes, preset }: Given): Scope[] {
  if (scopes !== undefined && preset !== undefined)
    throw invalidValue('/preset', 'not_unique', 'Give `scopes` or a `preset`, not both.')
  if (preset !== undefined) return [...presetNamed(preset).scopes]
  if (scopes !== undefined) return [...scopes]
  throw invalidValue('/scopes', 'required', 'Give `scopes` or a `preset`.')
}
