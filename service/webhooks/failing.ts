// Background work for failing webhooks. The dispatcher records in `webhook_health` how far a failing webhook is on the
// way to being given up, and when it stops sending. Here warnings of each step are emitted, and a webhook that was
// given up is disabled. Each happens once, since a second service finds it done.
import { failingDaysMax } from '#contract/webhook-schema.ts'
import { webhookDisabled, webhookFailing } from '#contract/webhooks.ts'
import { type ChangeDeps, attemptEach, changeAsSystem } from '../execution/change.ts'
import type { Call } from '../execution/call.ts'
import { givenUpWebhooks, failingWebhooks, takeWarning } from './background-rows.ts'
import { holdPending, lockAnyWebhook, updateWebhookRow } from './rows.ts'

const dayMs = 86_400_000
const reasons = {
  gone: 'The endpoint returned 410 (gone).',
  asked: 'The endpoint asked for it, in a header of its response.',
  failing: 'All attempts failed for five days.',
}

/** Returns how many webhooks were disabled. */
export async function disableGivenUp(deps: ChangeDeps): Promise<number> {
  let disabled = 0
  await attemptEach(await givenUpWebhooks(deps.db), async ({ workspaceId, id }) => {
    const done = await changeAsSystem(deps, workspaceId, webhookDisabled.type, (call) => disable(call, id))
    disabled += Number(done)
  })
  return disabled
}

async function disable({ db, workspaceId, actor, now, emit }: Call<typeof webhookDisabled>, id: string): Promise<void> {
  const before = await lockAnyWebhook(db, workspaceId, id, now)
  const health = await db.webhookHealth.findUnique({ where: { workspaceId_webhookId: { workspaceId, webhookId: id } } })
  // Enabled, paused or deleted since the query.
  if (before.status !== 'active' || before.deletedAt !== null || !health?.goneAt) return
  await holdPending(db, workspaceId, id)
  // The table's checks allow no other values.
  const disabledReason = reasons[health.goneReason as keyof typeof reasons]
  const data = { status: 'disabled', disabledReason, statusChangedAt: now }
  const after = await updateWebhookRow(db, before, { data, actor, now })
  emit(webhookDisabled, after, before)
}

/** Returns how many warnings were given. */
export async function warnOfFailing(deps: ChangeDeps): Promise<number> {
  let warned = 0
  await attemptEach(await failingWebhooks(deps.db), async ({ workspaceId, id }) => {
    warned += Number(await changeAsSystem(deps, workspaceId, null, (call) => warn(call, id)))
  })
  return warned
}

async function warn({ db, workspaceId, now, emit }: Call<typeof webhookFailing>, id: string): Promise<void> {
  const webhook = await lockAnyWebhook(db, workspaceId, id, now)
  if (webhook.status !== 'active' || webhook.deletedAt !== null) return
  const figures = await takeWarning(db, workspaceId, id)
  // It has recovered, was given up, or another service has warned since the query.
  if (figures === null) return
  const { percent, since, failedTries } = figures
  const disabledFrom = new Date(since.getTime() + failingDaysMax * dayMs).toISOString()
  emit(webhookFailing, { ...webhook, failing: { percent, since: since.toISOString(), failedTries, disabledFrom } })
}
