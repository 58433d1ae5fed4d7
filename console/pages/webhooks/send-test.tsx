// Sends a test delivery and shows its result.
import { Link } from '@tanstack/react-router'
import { eventKinds } from 'virtual:event-kinds'
import { useState, type ReactNode } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { DeliveryBadge } from '../../app/delivery-badge.tsx'
import { whyNot } from '../../app/delivery-words.ts'
import { failureOf } from '../../app/failure.ts'
import { useStream } from '../../app/use-stream.ts'
import { useChange, useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

export function SendTest({
  webhookId,
  isDisabled = false,
}: {
  readonly webhookId: string
  readonly isDisabled?: boolean
}): ReactNode {
  const test = useChange('webhooks.test')
  const [eventType, setEventType] = useState('')
  const [told, setTold] = useState<ReadonlyMap<string, Delivery>>(new Map())
  useStream(
    'deliveries.stream',
    { webhookId },
    {
      told: (delivery) => delivery.origin === 'test' && setTold((before) => new Map(before).set(delivery.id, delivery)),
      missed: () => {},
    },
  )
  const delivery = test.data && told.get(test.data.deliveryId)
  return (
    <div className={css.test}>
      <Row>
        <SelectField
          isLabelHidden
          label={texts.testEvent}
          value={eventType}
          choices={testChoices}
          onValue={setEventType}
        />
        <Button
          icon="send"
          disabled={isDisabled}
          isBusy={test.isPending}
          onClick={() => test.mutate({ id: webhookId, ...(eventType !== '' && { eventType }) })}
        >
          {texts.sendTest}
        </Button>
        <span role="status">
          {test.data !== undefined && delivery === undefined && texts.sending}
          {delivery && <DeliveryBadge status={delivery.status} />}
        </span>
      </Row>
      {delivery && <DeliveryResult delivery={delivery} />}
      {test.error !== null && <FailureNotice failure={failureOf(test.error)} />}
    </div>
  )
}

/** What the receiver answered, or why it was not reached, with a link to the attempts. */
export function DeliveryResult({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const { id, status, lastErrorCode, lastStatusCode } = delivery
  return (
    <p>
      {status === 'delivered'
        ? texts.succeededTheEndpointReturned(lastStatusCode)
        : `${whyNot(lastErrorCode, lastStatusCode) ?? texts.sending} `}
      <Link to="/w/$workspaceId/deliveries/$id" params={{ workspaceId, id }}>
        {texts.viewRequestAndResponse}
      </Link>
    </p>
  )
}

/** Without a kind it is a `webhooks.test`. */
const testChoices = [
  { value: '', label: texts.testEvent },
  ...eventKinds
    .filter(({ type }) => type !== 'webhooks.test')
    .map(({ type }) => ({ value: type, label: texts.exampleEvent(type) })),
]
