// What needs attention, before all else on the overview: webhooks whose receivers fail, with what can be done about
// them, and all other alarms that are not settled.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { alarmWords } from '#contract/alarm-words.ts'
import type { Alarm } from '#contract/alarms.ts'
import { failureOf } from '../../app/failure.ts'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { momentText } from '../../ui/moment-text.ts'
import { Row, Section } from '../../ui/page.tsx'
import { healthEveryMs, WebhookHealthNotice } from '../../webhook-health/health-notice.tsx'
import { texts } from './texts.ts'

const webhooksMax = 5
const alarmsEveryMs = 15_000

export function Attention(): ReactNode {
  const workspace = useWorkspace()
  // A webhook that somebody has paused is no news to them.
  const webhooks = useAnswer(
    'webhooks.list',
    { health: 'failing', status: ['active', 'disabled'], limit: webhooksMax },
    { enabled: workspace.may('webhooks:read'), refetchInterval: healthEveryMs },
  ).data
  const alarms = useAnswer('alarms.list', {}, { refetchInterval: alarmsEveryMs }).data
  const failing = webhooks?.data ?? []
  const others = alarms?.data.filter(({ subject }) => failing.every(({ id }) => id !== subject.id)) ?? []
  if (failing.length + others.length === 0) return null
  return (
    <Section title={texts.needsAttention}>
      {failing.map((webhook) => (
        <WebhookHealthNotice key={webhook.id} webhook={webhook} named />
      ))}
      {webhooks !== undefined && webhooks.page.nextCursor !== null && (
        <Link to="/w/$workspaceId/webhooks" params={{ workspaceId: workspace.id }} search={{ health: 'failing' }}>
          {texts.viewAllFailingWebhooks}
        </Link>
      )}
      {others.map((alarm) => (
        <AlarmNotice key={alarm.id} alarm={alarm} />
      ))}
    </Section>
  )
}

const isOver = (kind: Alarm['kind']): boolean => kind === 'webhook_disabled' || kind === 'key_rotation_due'

function AlarmNotice({ alarm }: { readonly alarm: Alarm }): ReactNode {
  const workspace = useWorkspace()
  const dismiss = useChange('alarms.dismiss')
  const at = (moment: string): string => momentText(new Date(moment))
  const { title, text, path } = alarmWords(alarm, { workspaceId: workspace.id, at })
  return (
    <Notice tone={isOver(alarm.kind) ? 'bad' : 'warn'} title={title}>
      <p>{text}</p>
      <Row>
        <Link to={path.replace('/settings', '')}>{texts.view(alarm.subject.name)}</Link>
        {workspace.may('workspaces:write') && (
          <Button
            size="small"
            variant="quiet"
            aria-label={texts.attentionDismiss(title)}
            isBusy={dismiss.isPending}
            onClick={() => dismiss.mutate({ id: alarm.id }, { onSuccess: () => announce(texts.alarmDismissed) })}
          >
            {texts.dismiss}
          </Button>
        )}
      </Row>
      {dismiss.error !== null && <FailureNotice failure={failureOf(dismiss.error)} />}
    </Notice>
  )
}
