// Which rules of a workspace's key policy a key violates, and from when it is refused for each of them. Pure. The
// gateway, the settings and the preview of a policy change all rely on it.
import type { KeyRefusal, PolicyRule } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspaces.ts'

const dayMs = 86_400_000

export type Policy = Pick<Workspace, 'apiPolicy' | 'apiPolicyFrom'>
export type CheckedKey = {
  readonly bound: boolean
  readonly ipAllowlist: readonly string[]
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly secretCreatedAt: Date
}
/**
 * `violatedFrom` may lie in the future: a key becomes too old with time alone. `refusedFrom` is the same or later, by the
 * grace that is left.
 */
export type Violation = { readonly rule: PolicyRule; readonly violatedFrom: Date; readonly refusedFrom: Date }

export function violationsOf(key: CheckedKey, { apiPolicy, apiPolicyFrom }: Policy): Violation[] {
  const broken: readonly (PolicyRule | false)[] = [
    !apiPolicy.allowUnboundKeys && !key.bound && 'allowUnboundKeys',
    apiPolicy.requireIpAllowlist && key.ipAllowlist.length === 0 && 'requireIpAllowlist',
    apiPolicy.requireExpiry && key.expiresAt === null && 'requireExpiry',
  ]
  const lasting = broken.flatMap((rule): Violation[] => {
    if (rule === false || rule === 'maxKeyAgeDays') return []
    const from = Date.parse(apiPolicyFrom[rule] ?? key.createdAt.toISOString())
    return [{ rule, violatedFrom: key.createdAt, refusedFrom: new Date(Math.max(from, key.createdAt.getTime())) }]
  })
  const aged = ageViolation(key.secretCreatedAt, apiPolicy.maxKeyAgeDays, apiPolicyFrom.maxKeyAgeDays)
  return aged === null ? lasting : [...lasting, aged]
}

/** When `maxKeyAgeDays` was lowered, the former age applies to older secrets until the grace ends. */
function ageViolation(
  createdAt: Date,
  days: number | null,
  grace: Policy['apiPolicyFrom']['maxKeyAgeDays'],
): Violation | null {
  if (days === null) return null
  const after = (age: number): number => createdAt.getTime() + age * dayMs
  const violatedFrom = after(days)
  const hasGrace = grace !== null && createdAt < new Date(grace.setAt)
  const graced = hasGrace ? Math.max(violatedFrom, Date.parse(grace.from)) : violatedFrom
  const before = hasGrace && grace.before !== null ? after(Math.max(grace.before, days)) : Infinity
  return {
    rule: 'maxKeyAgeDays',
    violatedFrom: new Date(violatedFrom),
    refusedFrom: new Date(Math.min(graced, before)),
  }
}

export const toRefusals = (violations: readonly Violation[]): KeyRefusal[] =>
  violations.map(({ rule, refusedFrom }) => ({ rule, from: refusedFrom.toISOString() }))

/** The latest time to rotate the secret. Returns null when neither the key nor a policy has a maximum age. */
export function rotateBy(key: CheckedKey, ownDays: number | null, policies: readonly Policy[]): Date | null {
  const own = ownDays === null ? [] : [new Date(key.secretCreatedAt.getTime() + ownDays * dayMs)]
  const byPolicy = policies
    .flatMap((policy) => violationsOf(key, policy))
    .filter(({ rule }) => rule === 'maxKeyAgeDays')
  const [earliest = null] = [...own, ...byPolicy.map(({ refusedFrom }) => refusedFrom)].toSorted(
    (a, b) => a.getTime() - b.getTime(),
  )
  return earliest
}

/** The rules that the key violates after a change and did not before. */
export const newlyViolated = (before: CheckedKey, after: CheckedKey, policy: Policy): PolicyRule[] => {
  const already = new Set(violationsOf(before, policy).map(({ rule }) => rule))
  return violationsOf(after, policy).flatMap(({ rule }) => (already.has(rule) ? [] : [rule]))
}

/**
 * The rule for which a key is refused in each of its workspaces, also with a new secret. Returns null when at least one
 * workspace accepts it.
 */
export function refusedEverywhere(key: CheckedKey, policies: readonly Policy[], now: Date): PolicyRule | null {
  const rules = policies.map(
    (policy) =>
      violationsOf(key, policy).find(({ rule, refusedFrom }) => rule !== 'maxKeyAgeDays' && refusedFrom <= now)?.rule,
  )
  return rules.every((rule) => rule !== undefined) ? (rules[0] ?? null) : null
}
