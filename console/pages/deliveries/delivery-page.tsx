// One delivery: its status, the next step, and each attempt with its request and response.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Attempt, Delivery } from '#contract/deliveries.ts'
import { DeliveryBadge } from '../../app/delivery-badge.tsx'
import { canResend, isWaiting, nextStep, originWords, whyNot } from '../../app/delivery-words.ts'
import { failureOf } from '../../app/failure.ts'
import { isFailing } from '../../webhook-health/health-words.ts'
import { healthEveryMs, WebhookHealthNotice } from '../../webhook-health/health-notice.tsx'
import { useStream } from '../../app/use-stream.ts'
import { keyOf, useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { nameOf } from '../../history/events-table.tsx'
import { ObjectHistoryLink } from '../../history/links.tsx'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { AttemptTimeline, useSeconds } from './attempt-timeline.tsx'
import css from './deliveries.module.css'
import { texts } from './texts.tsx'

export function DeliveryPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const delivery = useAnswer('deliveries.get', { id })
  const attempts = useAnswer('deliveries.attempts', { id, limit: 200 })
  const webhookId = delivery.data?.webhookId
  // Its circuit decides when a delivery that waits is sent.
  const webhook = useAnswer(
    'webhooks.get',
    { id: webhookId ?? '' },
    {
      enabled: webhookId !== undefined && workspace.may('webhooks:read'),
      refetchInterval: delivery.data !== undefined && isWaiting(delivery.data) && healthEveryMs,
    },
  )
  function reload(): void {
    void queries.invalidateQueries({ queryKey: keyOf(workspace.id, 'deliveries.attempts') })
    void queries.invalidateQueries({ queryKey: keyOf(workspace.id, 'deliveries.get') })
  }
  const asked = webhookId === undefined ? {} : { webhookId }
  useStream(
    'deliveries.stream',
    asked,
    { told: (told) => told.id === id && reload(), missed: reload },
    webhookId !== undefined,
  )

  if (delivery.error !== null)
    return <FailureNotice failure={failureOf(delivery.error)} retry={() => void delivery.refetch()} />
  if (delivery.data === undefined) return <Page title={texts.delivery}>{texts.loading}</Page>
  return (
    <Page
      title={delivery.data.eventType}
      guide="/docs/managing-webhooks#deliveries"
      above={
        <Link to="/w/$workspaceId/deliveries" params={{ workspaceId: workspace.id }}>
          {texts.deliveries}
        </Link>
      }
      actions={workspace.may('deliveries:replay') && <Resend delivery={delivery.data} />}
    >
      <Standing
        delivery={delivery.data}
        lastFailed={attempts.data?.data.findLast(({ outcome }) => outcome === 'failed')}
      />
      {webhook.data !== undefined && isFailing(webhook.data) && isWaiting(delivery.data) && (
        <WebhookHealthNotice webhook={webhook.data} named />
      )}
      <DeliveryFacts delivery={delivery.data} workspaceId={workspace.id} webhookName={webhook.data?.name} />
      <Section title={texts.attempts}>
        {attempts.error !== null && <FailureNotice failure={failureOf(attempts.error)} />}
        {attempts.data && <AttemptTimeline delivery={delivery.data} attempts={attempts.data.data} />}
      </Section>
    </Page>
  )
}

/** Why it was not delivered stands before all else, with what the receiver answered. */
function Standing({
  delivery,
  lastFailed,
}: {
  readonly delivery: Delivery
  readonly lastFailed: Attempt | undefined
}): ReactNode {
  const nowMs = useSeconds(isWaiting(delivery))
  const why = delivery.status === 'delivered' ? null : whyNot(delivery.lastErrorCode, delivery.lastStatusCode)
  const tones = { delivered: 'good', dead_letter: 'bad', retrying: 'warn', pending: 'info', cancelled: 'info' } as const
  return (
    <Notice tone={tones[delivery.status]} title={why ?? nextStep(delivery, nowMs)}>
      {why !== null && <p>{nextStep(delivery, nowMs)}</p>}
      {why !== null && lastFailed !== undefined && <LastAnswer attempt={lastFailed} />}
    </Notice>
  )
}

const answerMax = 500

const LastAnswer = ({ attempt: { number, response } }: { readonly attempt: Attempt }): ReactNode =>
  response === null || response.body.trim() === '' ? null : (
    <section className={css.answer} aria-label={texts.responseToAttempt(number)}>
      <p>
        {texts.responseToThisAttempt(number, response.body.slice(0, answerMax))}
        {response.body.length > answerMax && '…'}
      </p>
    </section>
  )

/** The event of a test is in no feed. */
function ObjectOf({ eventId }: { readonly eventId: string }): ReactNode {
  const { data: event } = useAnswer('events.get', { id: eventId })
  if (event === undefined) return '–'
  const name = nameOf(event.data)
  return (
    <>
      {name !== null && `${name}: `}
      <ObjectHistoryLink id={event.resource.id} />
    </>
  )
}

const DeliveryFacts = ({
  delivery: { id, status, webhookId, eventId, origin, createdAt, deliveredAt },
  workspaceId,
  webhookName,
}: {
  readonly delivery: Delivery
  readonly workspaceId: string
  /** Undefined until it is known. */
  readonly webhookName: string | undefined
}): ReactNode => (
  <Facts
    facts={[
      ...(origin === 'test' ? [] : [{ name: texts.object, value: <ObjectOf eventId={eventId} /> }]),
      { name: texts.deliveryColumnsStatus, value: <DeliveryBadge status={status} /> },
      { name: texts.created, value: <RelativeTime at={createdAt} /> },
      {
        name: texts.delivered,
        value: <RelativeTime at={deliveredAt} never={isWaiting({ status }) ? texts.notYet : texts.never} />,
      },
      { name: texts.origin, value: originWords[origin] },
      {
        name: texts.webhook,
        value: (
          <Link to="/w/$workspaceId/webhooks/$id" params={{ workspaceId, id: webhookId }}>
            {webhookName ?? texts.viewWebhook}
          </Link>
        ),
      },
      {
        name: texts.deliveriesOfThisEvent,
        value: (
          <Link to="/w/$workspaceId/deliveries" params={{ workspaceId }} search={{ event: eventId }}>
            {texts.viewAll}
          </Link>
        ),
      },
      { name: texts.deliveryId, value: <CopyLine text={id} what={texts.deliveryIdCopied} /> },
      { name: texts.eventId, value: <CopyLine text={eventId} what={texts.eventIdCopied} /> },
    ]}
  />
)

function Resend({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const resend = useChange('deliveries.replay', ['webhooks'])
  return (
    <>
      <Button
        icon="rotate"
        variant="primary"
        disabled={!canResend(delivery)}
        isBusy={resend.isPending}
        onClick={() => resend.mutate({ id: delivery.id }, { onSuccess: () => announce(texts.resendStarted) })}
      >
        {texts.resendThis}
      </Button>
      {resend.error !== null && <FailureNotice failure={failureOf(resend.error)} />}
    </>
  )
}
