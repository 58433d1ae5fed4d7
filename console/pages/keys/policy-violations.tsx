// Rules of its workspaces that a key breaks, and from when each refuses it.
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

type Violation = ApiKey['policyViolations'][number]

const texts: Readonly<Record<PolicyRule, string>> = {
  allowUnboundKeys:
    'The workspace only accepts keys that were created for it alone, and this key has access to several workspaces. Create a new key.',
  requireIpAllowlist: 'The workspace requires an IP allowlist. Add one to this key.',
  requireExpiry: 'The workspace requires an expiration date. Set one for this key.',
  maxKeyAgeDays: 'The secret is older than the workspace allows. Rotate the key.',
}

export const PolicyViolations = ({ violations }: { readonly violations: readonly Violation[] }): ReactNode =>
  violations.map(({ workspaceId, rule, from }) => (
    <Notice
      key={`${workspaceId} ${rule}`}
      tone={Date.parse(from) > Date.now() ? 'warn' : 'bad'}
      title={
        Date.parse(from) > Date.now() ? 'Requests with this key will be denied' : 'Requests with this key are denied'
      }
    >
      <p>
        {texts[rule]} Effective date: <RelativeTime at={from} />.
      </p>
    </Notice>
  ))
