// Rules of its workspaces that a key breaks, and from when each refuses it.
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { texts } from './texts.tsx'

type Violation = ApiKey['policyViolations'][number]

const ruleTexts: Readonly<Record<PolicyRule, string>> = {
  allowUnboundKeys: texts.theWorkspaceOnlyAcceptsKeys,
  requireIpAllowlist: texts.theWorkspaceRequiresAnIp,
  requireExpiry: texts.theWorkspaceRequiresAnExpiration,
  maxKeyAgeDays: texts.theSecretIsOlderThan,
}

export const PolicyViolations = ({ violations }: { readonly violations: readonly Violation[] }): ReactNode =>
  violations.map(({ workspaceId, rule, from }) => (
    <Notice
      key={`${workspaceId} ${rule}`}
      tone={Date.parse(from) > Date.now() ? 'warn' : 'bad'}
      title={Date.parse(from) > Date.now() ? texts.requestsWithThisKeyWill : texts.requestsWithThisKeyAre}
    >
      <p>{texts.effectiveDate(ruleTexts[rule], <RelativeTime at={from} />)}</p>
    </Notice>
  ))
