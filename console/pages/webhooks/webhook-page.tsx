// One webhook: how it is doing, what it carries, its secrets, and what can be done with it.
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { isInspectorHost } from '#contract/inspector.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { failureOf } from '../../app/failure.ts'
import { stateOf } from '../../webhook-health/health-words.ts'
import { healthEveryMs, WebhookHealthNotice } from '../../webhook-health/health-notice.tsx'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { latencyText } from '../../charts/scale.ts'
import { ObjectChanges } from '../../history/object-changes.tsx'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Facts, Page, Row, Section } from '../../ui/page.tsx'
import { Access } from './access.tsx'
import { EventTypes } from './event-types.tsx'
import { IgnoredKeys } from './ignored-keys.tsx'
import { InspectedRequests } from './inspected-requests.tsx'
import { Secrets } from './secrets.tsx'
import { SendTest } from './send-test.tsx'
import { WebhookUsage } from './webhook-usage.tsx'
import { TriggerEvent } from './trigger-event.tsx'
import css from './webhooks.module.css'
import { WebhookSecret } from './webhook-secret.tsx'
import { filterLines } from './webhook-words.ts'
import { texts } from './texts.tsx'

export function WebhookPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const workspace = useWorkspace()
  const { data: webhook, error, refetch } = useAnswer('webhooks.get', { id }, { refetchInterval: healthEveryMs })
  const [rotated, setRotated] = useState<{ readonly name: string; readonly secret: string } | null>(null)
  if (rotated !== null) return <WebhookSecret {...rotated} webhookId={id} onDone={() => setRotated(null)} />
  if (error !== null) return <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
  if (webhook === undefined) return <Page title={texts.webhook}>{texts.loading}</Page>
  const mayWrite = workspace.may('webhooks:write')
  const state = stateOf(webhook)
  return (
    <Page
      title={webhook.name}
      guide="/docs/managing-webhooks"
      above={
        <Link to="/w/$workspaceId/webhooks" params={{ workspaceId: workspace.id }}>
          {texts.webhooks}
        </Link>
      }
      about={
        <span className={css.address}>
          <span className={css.url} title={webhook.url}>
            {webhook.url}
          </span>
          <CopyButton text={webhook.url} what={texts.endpointUrlCopied} />
        </span>
      }
      actions={mayWrite && <Actions webhook={webhook} />}
    >
      <Row>
        <Badge tone={state.tone}>{state.label}</Badge>
      </Row>
      <WebhookHealthNotice webhook={webhook} />
      <LastDay webhook={webhook} workspaceId={workspace.id} />
      <WebhookUsage webhookId={id} />
      {mayWrite && (
        <Section title={texts.test} about={texts.testDeliveriesAreSignedAnd}>
          <SendTest webhookId={id} isDisabled={webhook.status !== 'active'} />
        </Section>
      )}
      {mayWrite && workspace.member?.sandbox === true && <TriggerEvent webhook={webhook} />}
      {isInspectorHost(URL.parse(webhook.url)?.hostname ?? '') && <InspectedRequests webhookId={id} />}
      <Carries webhook={webhook} />
      <Access webhook={webhook} mayWrite={mayWrite} />
      <Secrets
        webhook={webhook}
        mayWrite={mayWrite}
        onRotated={(secret) => setRotated({ name: webhook.name, secret })}
      />
      <ObjectChanges id={id} title={texts.changesOfThisWebhook} />
    </Page>
  )
}

function LastDay({ webhook, workspaceId }: { readonly webhook: Webhook; readonly workspaceId: string }): ReactNode {
  const { delivered, failed, pending, retrying, p50Ms, p95Ms } = webhook.stats24h
  return (
    <Section
      title={texts.last24Hours}
      actions={
        <Link
          to="/w/$workspaceId/deliveries"
          params={{ workspaceId }}
          search={{ webhook: webhook.id }}
          className={buttonClass({ size: 'small' })}
        >
          {texts.viewDeliveries}
        </Link>
      }
    >
      <Facts
        facts={[
          { name: texts.delivered, value: delivered },
          { name: texts.failed, value: failed },
          { name: texts.retrying, value: retrying },
          { name: texts.notSentYet, value: pending - retrying },
          { name: texts.medianDuration, value: latencyText(p50Ms) },
          { name: texts.slowDuration, value: latencyText(p95Ms) },
        ]}
      />
    </Section>
  )
}

function FilterSummary({ filter }: Pick<Webhook, 'filter'>): ReactNode {
  const lines = filterLines(filter)
  if (lines.length === 0) return texts.none
  return (
    <span className={css.named}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  )
}

const orders: Readonly<Record<Webhook['order'], string>> = {
  none: texts.notKept,
  webhook: texts.strict,
  object: texts.perObject,
}

const Carries = ({
  webhook: { id, eventTypes, filter, ignoredKeyIds, includeImports, payload, order, maxPerMinute, headerNames },
}: {
  readonly webhook: Webhook
}): ReactNode => (
  <Section title={texts.configuration}>
    <Facts
      facts={[
        {
          name: texts.eventTypes,
          value: <EventTypes patterns={eventTypes} />,
          isWide: true,
        },
        { name: texts.payload, value: payload === 'full' ? texts.full : texts.thin },
        { name: texts.filters, value: <FilterSummary filter={filter} /> },
        { name: texts.ignoredApiKeys, value: <IgnoredKeys ids={ignoredKeyIds} /> },
        { name: texts.imports, value: includeImports ? texts.included : texts.excluded },
        { name: texts.order, value: orders[order] },
        { name: texts.deliveriesPerMinute, value: maxPerMinute === null ? texts.noLimit : String(maxPerMinute) },
        { name: texts.customHeaders, value: headerNames.length === 0 ? texts.none : headerNames.join(', ') },
        { name: texts.webhookId, value: <CopyLine text={id} what={texts.webhookIdCopied} /> },
      ]}
    />
  </Section>
)

function Actions({ webhook: { id, name, status } }: { readonly webhook: Webhook }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const pause = useChange('webhooks.pause')
  const enable = useChange('webhooks.enable')
  const remove = useChange('webhooks.delete')
  const toList = (): void => {
    announce(texts.deleted(name))
    void navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId } })
  }
  const failed = pause.error ?? enable.error ?? remove.error
  return (
    <Row>
      <Link to="/w/$workspaceId/webhooks/$id/edit" params={{ workspaceId, id }} className={buttonClass()}>
        {texts.editThis}
      </Link>
      {status === 'active' ? (
        <Button isBusy={pause.isPending} onClick={() => pause.mutate({ id })}>
          {texts.pause}
        </Button>
      ) : (
        <Button variant="primary" isBusy={enable.isPending} onClick={() => enable.mutate({ id })}>
          {texts.enable}
        </Button>
      )}
      <Button variant="removal" icon="trash" onClick={() => setIsAsking(true)}>
        {texts.delete}
      </Button>
      {failed !== null && <FailureNotice failure={failureOf(failed)} />}
      <ConfirmDialog
        isOpen={isAsking}
        title={texts.deleteNamed(name)}
        confirm={texts.deleteWebhook}
        typed={name}
        isBusy={remove.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => remove.mutate({ id }, { onSuccess: toList, onError: () => setIsAsking(false) })}
      >
        <p>{texts.noMoreEventsAreSent}</p>
      </ConfirmDialog>
    </Row>
  )
}
