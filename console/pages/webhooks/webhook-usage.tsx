// How the receiver of a webhook has answered: attempts by status, latency, and the last of them.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { WebhookRequest } from '#contract/usage.ts'
import { answerState, shortened } from '../../app/answer-state.ts'
import { whyNot } from '../../app/delivery-words.ts'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { milliseconds } from '../../charts/scale.ts'
import { Badge } from '../../ui/badge.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Section, Stack } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingCharts, statuses, UsageCharts } from '../../usage/usage-charts.tsx'
import { SpanChoice, type By } from '../../usage/span-choice.tsx'
import { statusTone } from '../../usage/status-tone.ts'
import { texts } from './texts.tsx'

const refreshEveryMs = 15_000
const shownAtFirst = 10
const shown = [...statuses, { name: texts.noResponse, tone: 'first', is: 'noAnswer' }] as const

export function WebhookUsage({ webhookId }: { readonly webhookId: string }): ReactNode {
  const [by, setBy] = useState<By>('day')
  const { data: usage, isPending } = useAnswer('webhooks.usage', { id: webhookId, by })
  return (
    <Section
      title={texts.attempts}
      about={texts.allAttemptsIncludingTestDeliveries}
      actions={<SpanChoice by={by} onBy={setBy} />}
    >
      <Stack>
        {usage !== undefined && usage.total.requests > 0 && (
          <UsageCharts periods={usage.periods} by={by} shown={shown} latency={texts.responseTimeOfTheEndpoint} />
        )}
        {isPending && <LoadingCharts />}
        <LastRequests webhookId={webhookId} />
      </Stack>
    </Section>
  )
}

function LastRequests({ webhookId }: { readonly webhookId: string }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const [isWhole, setWhole] = useState(false)
  const requests = useAnswer('webhooks.requests', { id: webhookId }, { refetchInterval: refreshEveryMs })
  const state = answerState(requests, ({ data }) => data)
  return (
    <DataTable
      label={texts.recentAttempts}
      state={isWhole ? state : shortened(state, shownAtFirst, () => setWhole(true))}
      idOf={({ deliveryId, number }) => `${deliveryId} ${number}`}
      columns={columns(workspaceId)}
      empty={<EmptyState icon="activity" title={texts.noAttemptsYet} text={texts.eachAttemptIsListedHere} />}
    />
  )
}

const columns = (workspaceId: string): readonly Column<WebhookRequest>[] => [
  { head: texts.time, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    head: texts.event,
    cell: ({ deliveryId, eventType }) => (
      <Link to="/w/$workspaceId/deliveries/$id" params={{ workspaceId, id: deliveryId }}>
        {eventType}
      </Link>
    ),
  },
  { head: texts.attemptNumber, cell: ({ number }) => number, align: 'end', isSecondary: true },
  {
    head: texts.response,
    cell: ({ status, errorCode }) =>
      status === null ? (
        <Badge tone="bad">{errorCode ?? texts.none}</Badge>
      ) : (
        <Badge tone={statusTone(status)}>{status}</Badge>
      ),
  },
  { head: texts.duration, cell: ({ ms }) => milliseconds(ms), align: 'end', isSecondary: true },
  { head: texts.reason, cell: ({ status, errorCode }) => whyNot(errorCode, status) ?? '–', isSecondary: true },
]
