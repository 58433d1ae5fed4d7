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
  { risk: 'neverExpires', title: 'Never expires', text: 'Works until somebody revokes it.' },
  { risk: 'noIpAllowlist', title: 'No IP list', text: 'Works from any address, also when it is stolen.' },
  { risk: 'idle', title: 'Idle for 90 days', text: 'Perhaps nobody needs it any more.' },
  { risk: 'rotationDue', title: 'Rotation due', text: 'Its secret is refused within 14 days, or already is.' },
]

export function KeyRisks({ keys }: { readonly keys: UsageOverview['keys'] }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <Section title="Keys at risk" about={`Of ${fullCount(keys.active)} active ${keys.active === 1 ? 'key' : 'keys'}.`}>
      <ul className={css.tiles}>
        {risks.map(({ risk, title, text }) => (
          <li key={risk}>
            <Link to="/w/$workspaceId/keys" params={{ workspaceId }} search={{ risk }} className={css.card}>
              <span className={css.name}>{title}</span>
              <span className={css.figure}>{fullCount(keys[risk])}</span>
              <span className={css.note}>{text}</span>
              <Badge tone={keys[risk] === 0 ? 'good' : 'warn'}>{keys[risk] === 0 ? 'None' : 'Look at them'}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
