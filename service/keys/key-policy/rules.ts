// The rules of a workspace's key policy that a key violates, the time from which each refuses it, and how an update
// changes the policy. Pure. The gateway, the settings and the preview of a change rely on it.
import {
  codeOfRule,
  type KeyRefusal,
  type PolicyRule,
  type ApiPolicy,
  type ApiPolicyFrom,
  type StoppedKey,
} from '#contract/key-policy.ts'
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
 * `violatedFrom` may lie in the future, since a key becomes too old by time alone. `refusedFrom` is later by the grace
 * that is left.
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

const hourMs = 3_600_000

type Demand = Exclude<keyof ApiPolicy, 'maxKeyAgeDays'>

export const defaultPolicy: ApiPolicy = {
  maxKeyAgeDays: null,
  requireIpAllowlist: false,
  requireExpiry: false,
  allowUnboundKeys: false,
}
/** Without grace every rule applies to every key at once. */
export const noGrace: ApiPolicyFrom = {
  allowUnboundKeys: null,
  requireIpAllowlist: null,
  requireExpiry: null,
  maxKeyAgeDays: null,
}

/**
 * Tightened rules refuse existing keys only after `graceHours`. When given, it also replaces a grace that still runs.
 */
export function changePolicy(
  before: Policy,
  asked: Partial<ApiPolicy>,
  graceHours: number | undefined,
  now: Date,
): Policy {
  const from = new Date(now.getTime() + (graceHours ?? 0) * hourMs).toISOString()
  const isReplaced = (running: string | undefined) =>
    graceHours !== undefined && running !== undefined && new Date(running) > now
  const apiPolicy = { ...before.apiPolicy, ...asked }

  function demandFrom(rule: Demand): string | null {
    const earlier = before.apiPolicyFrom[rule]
    if (!(rule in asked)) return earlier
    if (!demands(apiPolicy, rule)) return null
    return !demands(before.apiPolicy, rule) || isReplaced(earlier ?? undefined) ? from : earlier
  }

  function ageFrom(): ApiPolicyFrom['maxKeyAgeDays'] {
    const [earlier, days, daysBefore] = [
      before.apiPolicyFrom.maxKeyAgeDays,
      apiPolicy.maxKeyAgeDays,
      before.apiPolicy.maxKeyAgeDays,
    ]
    if (!('maxKeyAgeDays' in asked)) return earlier
    if (days === null) return null
    const isRunning = earlier !== null && new Date(earlier.from) > now
    if (days < (daysBefore ?? Infinity))
      return { setAt: now.toISOString(), from, before: isRunning ? earlier.before : daysBefore }
    return isReplaced(earlier?.from) && earlier !== null ? { ...earlier, from } : earlier
  }

  return {
    apiPolicy,
    apiPolicyFrom: {
      allowUnboundKeys: demandFrom('allowUnboundKeys'),
      requireIpAllowlist: demandFrom('requireIpAllowlist'),
      requireExpiry: demandFrom('requireExpiry'),
      maxKeyAgeDays: ageFrom(),
    },
  }
}

const demands = (policy: ApiPolicy, rule: Demand): boolean =>
  rule === 'allowUnboundKeys' ? !policy.allowUnboundKeys : policy[rule]

export type NamedKey = CheckedKey & { readonly id: string; readonly name: string }
/** `graceOver`: when the grace of each rule has ended. */
export type PolicyChange = {
  readonly before: Policy
  readonly after: Policy
  readonly now: Date
  readonly graceOver: Date
}

/** The rules of a changed policy that will stop the key, and from when. Returns null for a key that stays accepted. */
export function stoppedKey(key: NamedKey, { before, after, now, graceOver }: PolicyChange): StoppedKey | null {
  const stopping = violationsOf(key, after).filter(({ refusedFrom }) => refusedFrom <= graceOver)
  if (stopping.length === 0) return null
  const from = Math.min(...stopping.map(({ refusedFrom }) => refusedFrom.getTime()))
  return {
    id: key.id,
    name: key.name,
    from: new Date(from).toISOString(),
    refused: violationsOf(key, before).some(({ refusedFrom }) => refusedFrom <= now),
    rules: stopping.map(({ rule, refusedFrom }) => ({ rule, code: codeOfRule[rule], from: refusedFrom.toISOString() })),
  }
}
