// Keys that carry a risk, by risk. Each card leads to the keys that it counts.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageOverview } from '#contract/usage.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { fullCount } from '../../charts/scale.ts'
import { Badge } from '../../ui/badge.tsx'
import { Section } from '../../ui/page.tsx'
import css from './overview-page.module.css'
import { texts } from './texts.ts'

type Risk = Exclude<keyof UsageOverview['keys'], 'active'>

const risks: readonly { readonly risk: Risk; readonly title: string; readonly text: string }[] = [
  { risk: 'neverExpires', title: texts.neverExpires, text: texts.theKeyWorksUntilIt },
  { risk: 'noIpAllowlist', title: texts.noIpAllowlist, text: texts.aStolenKeyWorksFrom },
  { risk: 'idle', title: texts.notUsedFor90Days, text: texts.theKeyMayNoLonger },
  {
    risk: 'rotationDue',
    title: texts.rotationDue,
    text: texts.theSecretMustBeRotated,
  },
]

export function KeyRisks({ keys }: { readonly keys: UsageOverview['keys'] }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <Section title={texts.keysAtRisk} about={texts.activeInTotal(fullCount(keys.active), keys.active)}>
      <ul className={css.tiles}>
        {risks.map(({ risk, title, text }) => (
          <li key={risk}>
            <Link to="/w/$workspaceId/keys" params={{ workspaceId }} search={{ risk }} className={css.card}>
              <span className={css.name}>{title}</span>
              <span className={css.figure}>{fullCount(keys[risk])}</span>
              <span className={css.note}>{text}</span>
              <Badge tone={keys[risk] === 0 ? 'good' : 'warn'}>{keys[risk] === 0 ? texts.none : texts.review}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
