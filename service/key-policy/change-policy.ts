// A workspace's key policy after an update: its rules, and from when each refuses keys that exist already. Pure.
import type { ApiPolicy, ApiPolicyFrom } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspaces.ts'

const hourMs = 3_600_000

type Policy = Pick<Workspace, 'apiPolicy' | 'apiPolicyFrom'>
type Demand = Exclude<keyof ApiPolicy, 'maxKeyAgeDays'>

export const defaultPolicy: ApiPolicy = {
  maxKeyAgeDays: null,
  requireIpAllowlist: false,
  requireExpiry: false,
  allowUnboundKeys: false,
}
/** Every rule applies to every key from the start. */
export const noGrace: ApiPolicyFrom = {
  allowUnboundKeys: null,
  requireIpAllowlist: null,
  requireExpiry: null,
  maxKeyAgeDays: null,
}

/** Tightened rules refuse existing keys only after `graceHours`. When given, it also replaces a grace that still runs. */
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
