// Triggers an event in a sandbox for one webhook, of a type that it subscribes to, and shows how it was delivered.
import { eventKinds } from 'virtual:event-kinds'
import { useState, type ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { DeliveryBadge } from '../../app/delivery-badge.tsx'
import { isWaiting } from '../../app/delivery-words.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange, useList, useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { DeliveryResult } from './send-test.tsx'
import { isChosen } from './webhook-form.ts'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

const refreshEveryMs = 2_000

export function TriggerEvent({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { may } = useWorkspace()
  const trigger = useChange('event-types.trigger')
  const [chosen, setChosen] = useState<string | null>(null)
  // An event is triggered by those who may read its type.
  const types = eventKinds
    .filter(({ type, scope }) => isChosen(webhook.eventTypes, type) && may(scope))
    .map(({ type }) => type)
  const eventType = types.find((type) => type === chosen) ?? types[0]
  return (
    <Section title={texts.triggerAnEvent} about={texts.recordsAnEventOfAny}>
      {eventType === undefined ? (
        <p>{texts.yourRoleCannotReadThe}</p>
      ) : (
        <div className={css.test}>
          <Row>
            <SelectField
              isLabelHidden
              label={texts.eventType}
              value={eventType}
              choices={types.map((type) => ({ value: type, label: type }))}
              onValue={setChosen}
            />
            <Button
              icon="events"
              disabled={webhook.status !== 'active'}
              isBusy={trigger.isPending}
              onClick={() => trigger.mutate({ eventType, webhookId: webhook.id })}
            >
              {texts.triggerEvent}
            </Button>
          </Row>
          {trigger.data && <Triggered key={trigger.data.eventId} webhook={webhook} {...trigger.data} />}
          {trigger.error !== null && <FailureNotice failure={failureOf(trigger.error)} />}
        </div>
      )}
    </Section>
  )
}

/** The delivery of the event, as soon as there is one. A filter of the webhook may leave the event out. */
function Triggered({
  webhook: { id: webhookId, filter },
  eventId,
  eventType,
}: {
  readonly webhook: Webhook
  readonly eventId: string
  readonly eventType: string
}): ReactNode {
  const deliveries = useList('deliveries.list', { eventId, webhookId, limit: 1 }, true, {
    againMs: ([delivery]) => (delivery === undefined || isWaiting(delivery) ? refreshEveryMs : false),
  })
  const delivery = deliveries.kind === 'rows' ? deliveries.rows[0] : undefined
  return (
    <>
      <Row>
        <span role="status">
          {texts.recorded(eventType)}
          {deliveries.kind === 'filtered-empty' &&
            (filter === null ? texts.waitingForItsDelivery : texts.noDeliveryYetTheFilters)}
          {delivery && <DeliveryBadge status={delivery.status} />}
        </span>
      </Row>
      {delivery && <DeliveryResult delivery={delivery} />}
      {deliveries.kind === 'failed' && <FailureNotice failure={deliveries.failure} retry={deliveries.retry} />}
    </>
  )
}
