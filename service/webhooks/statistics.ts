import type { getWebhookStats } from '#contract/webhooks.ts'
import type { Handler } from '../execution/handler.ts'
import { findWebhook } from './rows.ts'
import { hoursOf, statsOf } from './statistics-rows.ts'
import { attemptClasses } from '#contract/internal/attempt-classes.ts'
import {
  type AttemptCounts,
  type getWebhookUsage,
  type WebhookRequest,
  type listWebhookRequests,
  webhookRequestsAmong,
  webhookRequestsMax,
} from '#contract/webhook-usage.ts'
import { answeredCounts, type Tallies, spanUntil, usageIn } from '../keys/usage/rules.ts'

export const getStats: Handler<typeof getWebhookStats> = async ({ id }, call) => {
  const { db, workspaceId, now } = call
  await findWebhook(call, id)
  const hours = hoursOf(id, now)
  const [from, to] = [hours[0]?.from ?? now, hours.at(-1)?.to ?? now]
  const [total, ...byHour] = await statsOf(db, workspaceId, [{ webhookId: id, from, to }, ...hours])
  if (total === undefined) throw new Error('There are no statistics without a span')
  return {
    object: 'webhook_stats',
    webhookId: id,
    from: from.toISOString(),
    to: to.toISOString(),
    total,
    hours: hours.flatMap((hour, n) => {
      const stats = byHour[n]
      return stats === undefined ? [] : [{ from: hour.from.toISOString(), ...stats }]
    }),
  }
}

export const getUsage: Handler<typeof getWebhookUsage> = async ({ id, by = 'day' }, call) => {
  const { db, workspaceId, now } = call
  await findWebhook(call, id)
  const span = spanUntil(now, by)
  const rows = await db.webhookActivity.findMany({
    where: { workspaceId, unit: by, webhookId: id, since: { gte: span.from } },
  })
  return { object: 'webhook_usage', webhookId: id, ...usageIn(span, rows, attemptCounts) }
}

const attemptCounts = (tallies: Tallies): AttemptCounts => ({
  ...answeredCounts(tallies),
  noAnswer: tallies.statuses[attemptClasses.indexOf('noAnswer')] ?? 0,
})

type RequestRow = Omit<WebhookRequest, 'at'> & { readonly at: Date }

/** The deliveries are found by an index, their attempts by key. */
export const listRequests: Handler<typeof listWebhookRequests> = async ({ id }, call) => {
  const { db, workspaceId } = call
  await findWebhook(call, id)
  const rows = await db.$queryRaw<RequestRow[]>`
    SELECT a.started_at AS at, a.delivery_id AS "deliveryId", d.event_type AS "eventType", a.number, a.trigger,
           a.response_status AS status, a.error_code AS "errorCode", a.duration_ms AS ms
    FROM (
      SELECT id, event_type FROM delivery
      WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${id}::uuid
      ORDER BY created_at DESC LIMIT ${webhookRequestsAmong}::int
    ) d
    JOIN attempt a ON a.workspace_id = ${workspaceId}::uuid AND a.delivery_id = d.id
    ORDER BY a.started_at DESC, a.delivery_id, a.number DESC LIMIT ${webhookRequestsMax}::int`
  return { data: rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })) }
}
