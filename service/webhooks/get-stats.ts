import type { getWebhookStats } from '#contract/webhooks.ts'
import type { Handler } from '../execution/call.ts'
import { findWebhook } from './rows.ts'
import { hoursOf, statsOf } from './stats.ts'

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
