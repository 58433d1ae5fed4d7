// Which keys carry a risk. Pure. Revoked and expired ones carry none.
import type { ApiKey } from '#contract/api-keys.ts'
import { idleAfterDays, rotationDueWithinDays } from '#contract/key-risks.ts'
import type { UsageOverview } from '#contract/usage.ts'

const dayMs = 86_400_000

export function keyRisks(keys: readonly ApiKey[], now: Date): UsageOverview['keys'] {
  const active = keys.filter(({ status }) => status === 'active' || status === 'rotation_due')
  const count = (isRisk: (key: ApiKey) => boolean): number => active.filter(isRisk).length
  const idleSince = now.getTime() - idleAfterDays * dayMs
  const dueUntil = now.getTime() + rotationDueWithinDays * dayMs
  return {
    active: active.length,
    neverExpires: count(({ expiresAt }) => expiresAt === null),
    noIpAllowlist: count(({ ipAllowlist }) => ipAllowlist.length === 0),
    // One that was never used is as old as its making.
    idle: count(({ lastUsedAt, createdAt }) => Date.parse(lastUsedAt ?? createdAt) < idleSince),
    rotationDue: count(({ rotateBy }) => rotateBy !== null && Date.parse(rotateBy) <= dueUntil),
  }
}
