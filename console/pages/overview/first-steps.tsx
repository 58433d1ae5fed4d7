// The steps from an empty workspace to the first delivered event. Each step is marked as done automatically.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageOverview } from '#contract/usage.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import css from './overview-page.module.css'

type Steps = UsageOverview['firstSteps']
type Step = { readonly is: keyof Steps; readonly title: string; readonly waiting: string; readonly to: Target }
type Target = { readonly to: '/w/$workspaceId/keys' | '/w/$workspaceId/webhooks'; readonly label: string } | null

const steps: readonly Step[] = [
  {
    is: 'hasKey',
    title: 'Create a key',
    waiting: 'Programs use API keys to access this workspace.',
    to: { to: '/w/$workspaceId/keys', label: 'View keys' },
  },
  { is: 'hasCalled', title: 'Make your first request', waiting: 'Waiting for your first request…', to: null },
  {
    is: 'hasWebhook',
    title: 'Add a webhook',
    waiting: 'A webhook sends events to your endpoint as they happen.',
    to: { to: '/w/$workspaceId/webhooks', label: 'View webhooks' },
  },
  {
    is: 'hasReceived',
    title: 'Receive a test delivery',
    waiting: 'Waiting for a successful delivery…',
    to: null,
  },
]

export const isDone = (done: Steps): boolean => steps.every(({ is }) => done[is])

export function FirstSteps({ steps: done }: { readonly steps: Steps }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const next = steps.find(({ is }) => !done[is])
  return (
    <Section title="Get started" about={`${steps.filter(({ is }) => done[is]).length} of ${steps.length} done`}>
      <ol className={css.steps} aria-live="polite">
        {steps.map(({ is, title, waiting, to }, n) => (
          <li key={is} className={css.step} data-done={done[is] || undefined} data-next={is === next?.is || undefined}>
            <span className={css.mark}>{done[is] ? <Icon name="check" /> : n + 1}</span>
            <span className={css.what}>
              <span className={css.stepTitle}>{title}</span>
              <span className={css.note}>{done[is] ? 'Done' : waiting}</span>
            </span>
            {is === next?.is && to !== null && (
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
