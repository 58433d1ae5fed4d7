// The form of the key policy, and what it asks the API for. Pure.
import type { ApiPolicy, PolicyRule } from '#contract/key-policy.ts'
import type { Mistakes } from '../../ui/form-mistakes.ts'
import { texts } from './texts.ts'

export type PolicyForm = {
  readonly onlyBound: boolean
  readonly requireIpAllowlist: boolean
  readonly requireExpiry: boolean
  /** Days; empty: no limit. */
  readonly maxKeyAge: string
  /** Hours for keys that exist, of `graces`. */
  readonly grace: string
}

/** Hours, with what they are called. At most `policyGraceHoursMax`. */
export const graces = [
  { value: '0', label: texts.none },
  { value: '24', label: texts.hours24 },
  { value: '72', label: texts.days3 },
  { value: '168', label: texts.days7 },
  { value: '720', label: texts.days30 },
  { value: '2160', label: texts.days90 },
] as const
const usualGrace = '168'

export const formOf = ({
  allowUnboundKeys,
  requireIpAllowlist,
  requireExpiry,
  maxKeyAgeDays,
}: ApiPolicy): PolicyForm => ({
  onlyBound: !allowUnboundKeys,
  requireIpAllowlist,
  requireExpiry,
  maxKeyAge: maxKeyAgeDays === null ? '' : String(maxKeyAgeDays),
  grace: usualGrace,
})

const policyOf = ({ onlyBound, requireIpAllowlist, requireExpiry, maxKeyAge }: PolicyForm): ApiPolicy => ({
  allowUnboundKeys: !onlyBound,
  requireIpAllowlist,
  requireExpiry,
  maxKeyAgeDays: maxKeyAge === '' ? null : Number(maxKeyAge),
})

/** The rules that the form changes. Others are not sent: their grace, if it runs, would begin anew. */
export function changesIn(form: PolicyForm, policy: ApiPolicy): Partial<ApiPolicy> {
  const asked = policyOf(form)
  const changed = (Object.keys(asked) as PolicyRule[]).filter((rule) => asked[rule] !== policy[rule])
  return Object.fromEntries(changed.map((rule) => [rule, asked[rule]]))
}

/** Does it demand more of keys than the policy that holds? Only then is there a grace. */
export const isTighter = (changes: Partial<ApiPolicy>, { maxKeyAgeDays }: ApiPolicy): boolean =>
  changes.allowUnboundKeys === false ||
  changes.requireIpAllowlist === true ||
  changes.requireExpiry === true ||
  (typeof changes.maxKeyAgeDays === 'number' && changes.maxKeyAgeDays < (maxKeyAgeDays ?? Infinity))

export const policyMistakes = ({ maxKeyAge }: PolicyForm): Mistakes =>
  maxKeyAge === '' || (/^\d{1,3}$/.test(maxKeyAge) && Number(maxKeyAge) >= 1 && Number(maxKeyAge) <= 365)
    ? {}
    : { maxKeyAge: texts.enterANumberOfDays }

/** The input of `workspaces.update`, for a dry run and to save. */
export function policyInput(id: string, form: PolicyForm, policy: ApiPolicy) {
  const apiPolicy = changesIn(form, policy)
  return { id, apiPolicy, ...(isTighter(apiPolicy, policy) && { policyGraceHours: Number(form.grace) }) }
}
