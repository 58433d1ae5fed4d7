// The policy for those who may not change it.
import type { ReactNode } from 'react'
import type { ApiPolicy } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspaces.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { formOf } from './policy-form.ts'
import { Rule, Rules } from './rule.tsx'
import { rules } from './rule-words.ts'
import { texts } from './texts.ts'

export const PolicyFacts = ({ apiPolicy }: Pick<Workspace, 'apiPolicy'>): ReactNode => (
  <>
    <Notice tone="info" title={texts.youCanViewThisPolicy}>
      <p>{texts.onlyAdminsAndOwnersCan}</p>
    </Notice>
    <Rules>
      {rules.map((rule) => (
        <Rule key={rule} rule={rule} aside={<Demand policy={apiPolicy} rule={rule} />} />
      ))}
    </Rules>
  </>
)

function Demand({ policy, rule }: { readonly policy: ApiPolicy; readonly rule: keyof ApiPolicy }): ReactNode {
  const { onlyBound, requireIpAllowlist, requireExpiry, maxKeyAge } = formOf(policy)
  const isDemanded = { allowUnboundKeys: onlyBound, requireIpAllowlist, requireExpiry, maxKeyAgeDays: maxKeyAge !== '' }
  if (!isDemanded[rule]) return <Badge tone="neutral">{texts.notRequired}</Badge>
  return <Badge tone="good">{rule === 'maxKeyAgeDays' ? texts.everyDays(maxKeyAge) : texts.required}</Badge>
}
