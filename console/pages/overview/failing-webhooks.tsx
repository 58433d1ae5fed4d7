// The webhooks whose receivers fail, before all else on the overview: why, since when, and when it goes on.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { healthEveryMs, WebhookHealthNotice } from '../../webhook-health/health-notice.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Section } from '../../ui/page.tsx'

const shownMax = 5

export function FailingWebhooks(): ReactNode {
  const workspace = useWorkspace()
  // A webhook that somebody has paused is no news to them.
  const { data } = useAnswer(
    'webhooks.list',
    { health: 'failing', status: ['active', 'disabled'], limit: shownMax },
    { enabled: workspace.may('webhooks:read'), refetchInterval: healthEveryMs },
  )
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title="Failing webhooks">
      {data.data.map((webhook) => (
        <WebhookHealthNotice key={webhook.id} webhook={webhook} named />
      ))}
      {data.page.nextCursor !== null && (
        <Link to="/w/$workspaceId/webhooks" params={{ workspaceId: workspace.id }} search={{ health: 'failing' }}>
          View all failing webhooks
        </Link>
      )}
    </Section>
  )
}
