// States of a key, derived from dates and never stored, and what a workspace's policy demands of its keys. Pure.
import { Fault, type FieldCode } from '#contract/fault.ts'
import type { ApiKey } from '#contract/api-key-schema.ts'
import type { PolicyRule } from '#contract/key-policy.ts'

type Dates = { readonly revokedAt: Date | null; readonly expiresAt: Date | null; readonly rotateBy: Date | null }

export function statusOf({ revokedAt, expiresAt, rotateBy }: Dates, now: Date): ApiKey['status'] {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return rotateBy !== null && rotateBy <= now ? 'rotation_due' : 'active'
}

export function assertNotPast(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now) throw refused('/expiresAt', 'too_small', 'Lies in the past.')
}

/** A key is made, and changed, within the rules of its workspaces. */
export function assertNoneBroken(rules: readonly PolicyRule[]): void {
  if (rules.includes('requireExpiry')) throw refused('/expiresAt', 'required', 'The workspace demands an expiry.')
  if (rules.includes('requireIpAllowlist'))
    throw refused('/ipAllowlist', 'required', 'The workspace demands an allowlist.')
}

export const assertNotRevoked = (revokedAt: Date | null): void => {
  if (revokedAt !== null)
    throw new Fault('invalid_transition', 'A revoked key stays revoked.', { from: 'revoked', allowed: [] })
}

const refused = (pointer: string, code: FieldCode, detail: string): Fault =>
  new Fault('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] })
