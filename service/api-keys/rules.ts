// States of a key, derived from dates and never stored, and what a workspace's policy demands of its keys. Pure.
import { Fault } from '#contract/fault.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import type { Workspace } from '#contract/workspaces.ts'

const dayMs = 86_400_000

type Dates = { readonly revokedAt: Date | null; readonly expiresAt: Date | null; readonly rotateBy: Date | null }

export function statusOf({ revokedAt, expiresAt, rotateBy }: Dates, now: Date): ApiKey['status'] {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return rotateBy !== null && rotateBy <= now ? 'rotation_due' : 'active'
}

/** The stricter of two policies; null where neither sets an age. */
export function stricterAge(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

export const rotateBy = (secretCreatedAt: Date, maxAgeDays: number | null): Date | null =>
  maxAgeDays === null ? null : new Date(secretCreatedAt.getTime() + maxAgeDays * dayMs)

type Limits = { readonly expiresAt: Date | null; readonly ipAllowlist: readonly string[] }

export function assertWithinPolicy(
  { expiresAt, ipAllowlist }: Limits,
  policy: Workspace['apiPolicy'],
  now: Date,
): void {
  if (expiresAt !== null && expiresAt <= now) throw refused('/expiresAt', 'Lies in the past.')
  if (policy.requireExpiry && expiresAt === null) throw refused('/expiresAt', 'The workspace demands an expiry.')
  if (policy.requireIpAllowlist && ipAllowlist.length === 0)
    throw refused('/ipAllowlist', 'The workspace demands an allowlist.')
}

export const assertNotRevoked = (revokedAt: Date | null): void => {
  if (revokedAt !== null)
    throw new Fault('invalid_transition', 'A revoked key stays revoked.', { from: 'revoked', allowed: [] })
}

const refused = (pointer: string, detail: string): Fault =>
  new Fault('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'required', detail }] })
