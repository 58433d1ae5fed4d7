import type { enableWebhook } from '#contract/webhooks.ts'
import { releaseWaiting } from '../deliveries/rows.ts'
import type { Handler } from '../execution/handler.ts'
import { forgetFailures, lockWebhook, updateWebhook } from './rows.ts'

export const enable: Handler<typeof enableWebhook> = async ({ id }, call) => {
  const { db, workspaceId, actor, now, audit } = call
  const before = await lockWebhook(call, id)
  if (before.status === 'active') return before
  await releaseWaiting(db, workspaceId, id, now)
  await forgetFailures(db, workspaceId, id)
  const data = { status: 'active', disabledReason: null, statusChangedAt: now }
  const after = await updateWebhook(db, before, { data, actor, now })
  audit(after, before)
  return after
}
