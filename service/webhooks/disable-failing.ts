// The dispatcher records in `webhook_health` that it has given up a receiver, and stops sending. Here, in the background,
// the webhook becomes disabled and `webhooks.disabled` is emitted: once, since a second service finds it disabled.
import { webhookDisabled } from '#contract/webhooks.ts'
import type { Database } from '#prisma/client.ts'
import { holdPending } from './pending-deliveries.ts'
import type { Call } from '../execution/handler.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'
import { lockAnyWebhook, updateWebhookRow } from './rows.ts'

const batchMax = 50
const reasons = {
  gone: 'The receiver answered 410: there is nothing at this address any more.',
  asked: 'The receiver asked for it, in a header of its answer.',
  failing: 'Every attempt of five days failed.',
}

type GivenUpWebhook = { readonly workspaceId: string; readonly id: string }

/** Returns how many webhooks were disabled. */
export async function disableGivenUp(deps: ChangeParts): Promise<number> {
  let disabled = 0
  await attemptEach(await givenUpWebhooks(deps.db), async ({ workspaceId, id }) => {
    const done = await changeAsSystem(deps, workspaceId, webhookDisabled.type, (call) => disable(call, id))
    disabled += Number(done)
  })
  return disabled
}

const givenUpWebhooks = (db: Database): Promise<GivenUpWebhook[]> =>
  db.$queryRaw`
    SELECT w.workspace_id AS "workspaceId", w.id
    FROM webhook_health h JOIN webhook w ON w.workspace_id = h.workspace_id AND w.id = h.webhook_id
    WHERE h.gone_at IS NOT NULL AND w.status = 'active' AND w.deleted_at IS NULL
    ORDER BY h.gone_at LIMIT ${batchMax}::int`

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
