// The steps from an empty workspace to the first delivered event. Each step is marked as done automatically.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Scope } from '#contract/scopes.ts'
import type { UsageOverview } from '#contract/usage.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import css from './overview-page.module.css'
import { texts } from './texts.ts'

type Steps = UsageOverview['firstSteps']
type Step = { readonly is: keyof Steps; readonly title: string; readonly waiting: string; readonly to: Target }
/** The page on which the step is done. The link is shown to members with the scope. */
type Target = {
  readonly to: '/w/$workspaceId/keys/new' | '/w/$workspaceId/webhooks/new'
  readonly label: string
  readonly scope: Scope
} | null

const steps: readonly Step[] = [
  {
    is: 'hasKey',
    title: texts.createAKey,
    waiting: texts.programsUseApiKeysTo,
    to: { to: '/w/$workspaceId/keys/new', label: texts.createKey, scope: 'api-keys:write' },
  },
  { is: 'hasCalled', title: texts.makeYourFirstRequest, waiting: texts.waitingForYourFirstRequest, to: null },
  {
    is: 'hasWebhook',
    title: texts.addAWebhook,
    waiting: texts.aWebhookSendsEventsTo,
    to: { to: '/w/$workspaceId/webhooks/new', label: texts.createWebhook, scope: 'webhooks:write' },
  },
  {
    is: 'hasReceived',
    title: texts.receiveATestDelivery,
    waiting: texts.waitingForASuccessfulDelivery,
    to: null,
  },
]

export const isDone = (done: Steps): boolean => steps.every(({ is }) => done[is])

export function FirstSteps({ steps: done }: { readonly steps: Steps }): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  const next = steps.find(({ is }) => !done[is])
  return (
    <Section title={texts.getStarted} about={texts.ofDone(steps.filter(({ is }) => done[is]).length, steps.length)}>
      <ol className={css.steps} aria-live="polite">
        {steps.map(({ is, title, waiting, to }, n) => (
          <li key={is} className={css.step} data-done={done[is] || undefined} data-next={is === next?.is || undefined}>
            <span className={css.mark}>{done[is] ? <Icon name="check" /> : n + 1}</span>
            <span className={css.what}>
              <span className={css.stepTitle}>{title}</span>
              <span className={css.note}>{done[is] ? texts.done : waiting}</span>
            </span>
            {is === next?.is && to !== null && may(to.scope) && (
              <Link to={to.to} params={{ workspaceId }} className={buttonClass({ variant: 'primary', size: 'small' })}>
                {to.label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
