// Which rules of a workspace a key breaks, and from when each of them refuses it. Pure: the gateway, the settings and the
// preview of a change all go by this.
import type { KeyRefusal, PolicyRule } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspace-schema.ts'

const dayMs = 86_400_000

export type Policy = Pick<Workspace, 'apiPolicy' | 'apiPolicyFrom'>
export type Judged = {
  readonly bound: boolean
  readonly ipAllowlist: readonly string[]
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly secretCreatedAt: Date
}
/** `brokenAt` lies ahead where only time is needed to break the rule; `refusedFrom` is later by what grace is left. */
export type Violation = { readonly rule: PolicyRule; readonly brokenAt: Date; readonly refusedFrom: Date }

export function violationsOf(key: Judged, { apiPolicy, apiPolicyFrom }: Policy): Violation[] {
  const broken: readonly (PolicyRule | false)[] = [
    !apiPolicy.allowUnboundKeys && !key.bound && 'allowUnboundKeys',
    apiPolicy.requireIpAllowlist && key.ipAllowlist.length === 0 && 'requireIpAllowlist',
    apiPolicy.requireExpiry && key.expiresAt === null && 'requireExpiry',
  ]
  const lasting = broken.flatMap((rule): Violation[] => {
    if (rule === false || rule === 'maxKeyAgeDays') return []
    const from = Date.parse(apiPolicyFrom[rule] ?? key.createdAt.toISOString())
    return [{ rule, brokenAt: key.createdAt, refusedFrom: new Date(Math.max(from, key.createdAt.getTime())) }]
  })
  const aged = tooOld(key.secretCreatedAt, apiPolicy.maxKeyAgeDays, apiPolicyFrom.maxKeyAgeDays)
  return aged === null ? lasting : [...lasting, aged]
}

/** A limit that was tightened leaves older secrets the one before for as long as its grace runs. */
function tooOld(
  createdAt: Date,
  days: number | null,
  grace: Policy['apiPolicyFrom']['maxKeyAgeDays'],
): Violation | null {
  if (days === null) return null
  const after = (age: number): number => createdAt.getTime() + age * dayMs
  const brokenAt = after(days)
  const hasGrace = grace !== null && createdAt < new Date(grace.setAt)
  const graced = hasGrace ? Math.max(brokenAt, Date.parse(grace.from)) : brokenAt
  const before = hasGrace && grace.before !== null ? after(Math.max(grace.before, days)) : Infinity
  return { rule: 'maxKeyAgeDays', brokenAt: new Date(brokenAt), refusedFrom: new Date(Math.min(graced, before)) }
}

export const toRefusals = (violations: readonly Violation[]): KeyRefusal[] =>
  violations.map(({ rule, refusedFrom }) => ({ rule, from: refusedFrom.toISOString() }))

/** When the secret is to be replaced at the latest; null where nothing demands it. */
export function rotateBy(key: Judged, ownDays: number | null, policies: readonly Policy[]): Date | null {
  const own = ownDays === null ? [] : [new Date(key.secretCreatedAt.getTime() + ownDays * dayMs)]
  const theirs = policies.flatMap((policy) => violationsOf(key, policy)).filter(({ rule }) => rule === 'maxKeyAgeDays')
  const [earliest = null] = [...own, ...theirs.map(({ refusedFrom }) => refusedFrom)].toSorted(
    (a, b) => a.getTime() - b.getTime(),
  )
  return earliest
}

/** Broken after a change and not before it. */
export const newlyBroken = (before: Judged, after: Judged, policy: Policy): PolicyRule[] => {
  const already = new Set(violationsOf(before, policy).map(({ rule }) => rule))
  return violationsOf(after, policy).flatMap(({ rule }) => (already.has(rule) ? [] : [rule]))
}

/**
 * The rule for which a key is of no use at all, whatever its secret: each of its workspaces refuses it for good. Null
 * where it can be used somewhere.
 */
export function refusedEverywhere(key: Judged, policies: readonly Policy[], now: Date): PolicyRule | null {
  const rules = policies.map(
    (policy) =>
      violationsOf(key, policy).find(({ rule, refusedFrom }) => rule !== 'maxKeyAgeDays' && refusedFrom <= now)?.rule,
  )
  return rules.every((rule) => rule !== undefined) ? (rules[0] ?? null) : null
}
