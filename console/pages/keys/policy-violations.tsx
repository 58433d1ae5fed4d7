// Rules of its workspaces that a key breaks, and from when each refuses it.
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

type Violation = ApiKey['policyViolations'][number]

const texts: Readonly<Record<PolicyRule, string>> = {
  allowUnboundKeys: 'The workspace takes only keys that are bound to it, and this one is not.',
  requireIpAllowlist: 'The workspace demands that keys name their addresses, and this one names none.',
  requireExpiry: 'The workspace demands that keys expire, and this one never does.',
  maxKeyAgeDays: 'The secret is older than the workspace allows. Rotate the key.',
}

export const PolicyViolations = ({ violations }: { readonly violations: readonly Violation[] }): ReactNode =>
  violations.map(({ workspaceId, rule, from }) => (
    <Notice
      key={`${workspaceId} ${rule}`}
      tone={Date.parse(from) > Date.now() ? 'warn' : 'bad'}
      title={Date.parse(from) > Date.now() ? 'This key will be refused' : 'This key is refused'}
    >
      <p>
        {texts[rule]} Since or from: <RelativeTime at={from} />.
      </p>
    </Notice>
  ))
