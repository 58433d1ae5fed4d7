// Keys that carry a risk, by risk. Each card leads to the keys that it counts.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageOverview } from '#contract/usage.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { fullCount } from '../../charts/scale.ts'
import { Badge } from '../../ui/badge.tsx'
import { Section } from '../../ui/page.tsx'
import css from './overview-page.module.css'

type Risk = Exclude<keyof UsageOverview['keys'], 'active'>

const risks: readonly { readonly risk: Risk; readonly title: string; readonly text: string }[] = [
  { risk: 'neverExpires', title: 'Never expires', text: 'The key works until it is revoked.' },
  { risk: 'noIpAllowlist', title: 'No IP allowlist', text: 'A stolen key works from any IP address.' },
  { risk: 'idle', title: 'Not used for 90 days', text: 'The key may no longer be needed.' },
  {
    risk: 'rotationDue',
    title: 'Rotation due',
    text: 'The secret must be rotated within 14 days, or rotation is overdue.',
  },
]

export function KeyRisks({ keys }: { readonly keys: UsageOverview['keys'] }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <Section
      title="Keys at risk"
      about={`${fullCount(keys.active)} active ${keys.active === 1 ? 'key' : 'keys'} in total.`}
    >
      <ul className={css.tiles}>
        {risks.map(({ risk, title, text }) => (
          <li key={risk}>
            <Link to="/w/$workspaceId/keys" params={{ workspaceId }} search={{ risk }} className={css.card}>
              <span className={css.name}>{title}</span>
              <span className={css.figure}>{fullCount(keys[risk])}</span>
              <span className={css.note}>{text}</span>
              <Badge tone={keys[risk] === 0 ? 'good' : 'warn'}>{keys[risk] === 0 ? 'None' : 'Review'}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
