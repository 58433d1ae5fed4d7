import { Link } from '@tanstack/react-router'
import type { Delivery } from '#contract/deliveries.ts'
import { DeliveryBadge } from '../../app/delivery-badge.tsx'
import { isWaiting, originWords, timeText, whyNot } from '../../app/delivery-words.ts'
import type { Column } from '../../ui/data-table.tsx'
import { DottedName } from '../../ui/dotted-name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './deliveries.module.css'
import { texts } from './texts.tsx'

/** `nameOf`: of a webhook. */
export const deliveryColumns = (workspaceId: string, nameOf: (id: string) => string): readonly Column<Delivery>[] => [
  {
    head: texts.event,
    cell: ({ id, eventType, origin }) => (
      <span className={css.event}>
        <Link to="/w/$workspaceId/deliveries/$id" params={{ workspaceId, id }}>
          <DottedName name={eventType} />
        </Link>
        {origin !== 'live' && <span className={css.origin}>{originWords[origin]}</span>}
      </span>
    ),
  },
  { head: texts.deliveryColumnsStatus, cell: ({ status }) => <DeliveryBadge status={status} /> },
  {
    head: texts.webhook,
    isSecondary: true,
    cell: ({ webhookId }) => (
      <Link to="/w/$workspaceId/webhooks/$id" params={{ workspaceId, id: webhookId }}>
        {nameOf(webhookId)}
      </Link>
    ),
  },
  {
    head: texts.result,
    isSecondary: true,
    cell: (delivery) => <span className={css.result}>{resultText(delivery)}</span>,
  },
  {
    head: texts.attempts,
    align: 'end',
    isSecondary: true,
    cell: ({ attemptCount, maxAttempts }) => texts.of(attemptCount, maxAttempts),
  },
  { head: texts.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

/** What came of it so far, and when the next attempt is. */
function resultText({ status, lastErrorCode, lastStatusCode, attemptCount, nextAttemptAt }: Delivery): string {
  if (status === 'delivered') return `${lastStatusCode ?? ''}`
  const why = whyNot(lastErrorCode, lastStatusCode)
  if (!isWaiting({ status })) return why ?? '–'
  const sofar = why ?? (attemptCount === 0 ? texts.notSentYet : texts.willBeRetried)
  return nextAttemptAt === null ? sofar : texts.nextAttemptAt(sofar, timeText(nextAttemptAt))
}
