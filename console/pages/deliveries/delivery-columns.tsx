import { Link } from '@tanstack/react-router'
import type { Delivery } from '#contract/deliveries.ts'
import { DeliveryBadge } from '../../app/delivery-badge.tsx'
import { isWaiting, timeText, whyNot } from '../../app/delivery-words.ts'
import type { Column } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './deliveries.module.css'

/** `nameOf`: of a webhook. */
export const deliveryColumns = (workspaceId: string, nameOf: (id: string) => string): readonly Column<Delivery>[] => [
  {
    head: 'Event',
    cell: ({ id, eventType, origin }) => (
      <span className={css.event}>
        <Link to="/w/$workspaceId/deliveries/$id" params={{ workspaceId, id }}>
          <code>{eventType}</code>
        </Link>
        {origin !== 'live' && <span className={css.origin}>{origin}</span>}
      </span>
    ),
  },
  { head: 'Status', cell: ({ status }) => <DeliveryBadge status={status} /> },
  {
    head: 'Webhook',
    cell: ({ webhookId }) => (
      <Link to="/w/$workspaceId/webhooks/$id" params={{ workspaceId, id: webhookId }}>
        {nameOf(webhookId)}
      </Link>
    ),
  },
  {
    head: 'Result',
    isSecondary: true,
    cell: (delivery) => <span className={css.result}>{resultText(delivery)}</span>,
  },
  {
    head: 'Attempts',
    align: 'end',
    isSecondary: true,
    cell: ({ attemptCount, maxAttempts }) => `${attemptCount} of ${maxAttempts}`,
  },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

/** What came of it so far, and when the next attempt is. */
function resultText({ status, lastErrorCode, lastStatusCode, attemptCount, nextAttemptAt }: Delivery): string {
  if (status === 'delivered') return `${lastStatusCode ?? ''}`
  const why = whyNot(lastErrorCode, lastStatusCode)
  if (!isWaiting({ status })) return why ?? '–'
  const sofar = why ?? (attemptCount === 0 ? 'Not sent yet.' : 'Will be retried.')
  return nextAttemptAt === null ? sofar : `${sofar} Next attempt at ${timeText(nextAttemptAt)}.`
}
