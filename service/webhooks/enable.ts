import type { enableWebhook } from '#contract/webhooks.ts'
import { releasePending } from './pending-deliveries.ts'
import type { Handler } from '../execution/handler.ts'
import { resetHealth, lockWebhook, updateWebhook } from './rows.ts'

export const enable: Handler<typeof enableWebhook> = async ({ id }, call) => {
  const { db, workspaceId, actor, now, audit } = call
  const before = await lockWebhook(call, id)
  if (before.status === 'active') return before
  await releasePending(db, workspaceId, id, now)
  await resetHealth(db, workspaceId, id)
  const data = { status: 'active', disabledReason: null, statusChangedAt: now }
  const after = await updateWebhook(db, before, { data, actor, now })
  audit(after, before)
  return after
}
