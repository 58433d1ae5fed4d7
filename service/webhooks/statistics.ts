// Statistics of a webhook: counts of the last day by the hour, usage by hour or day, and its newest requests.
import { attemptClasses } from '#contract/internal/reports.ts'
import type { AttemptCounts, getWebhookUsage, listWebhookRequests } from '#contract/usage.ts'
import type { getWebhookStats } from '#contract/webhooks.ts'
import type { Handler } from '../execution/call.ts'
import { answeredCounts, spanUntil, usageIn, type Tallies } from '../keys/usage/rules.ts'
import { findWebhook } from './rows.ts'
import { hoursOf, statsOf, newestRequests } from './statistics-rows.ts'

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

export const listRequests: Handler<typeof listWebhookRequests> = async ({ id }, call) => {
  const { db, workspaceId } = call
  await findWebhook(call, id)
  const rows = await newestRequests(db, workspaceId, id)
  return { data: rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })) }
}
