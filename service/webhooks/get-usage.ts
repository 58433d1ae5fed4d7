import { attemptClasses } from '#contract/internal/reports.ts'
import type { AttemptCounts, getWebhookUsage } from '#contract/usage.ts'
import { answeredCounts, type Tallies } from '../activity/answered-counts.ts'
import { spanUntil, usageIn } from '../activity/periods.ts'
import type { Handler } from '../execution/handler.ts'
import { findWebhook } from './rows.ts'

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
