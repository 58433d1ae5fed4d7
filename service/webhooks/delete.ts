import type { deleteWebhook } from '#contract/webhooks.ts'
import { cancelPending } from './pending-deliveries.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertAccess } from './access.ts'
import { lockAnyWebhook, updateWebhookRow } from './rows.ts'

export const remove: Handler<typeof deleteWebhook> = async ({ id, expectedVersion }, call) => {
  const { db, workspaceId, principal, actor, now, audit } = call
  const before = await lockAnyWebhook(db, workspaceId, id, now)
  assertAccess(before, principal)
  if (before.deletedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  audit(await updateWebhookRow(db, before, { data: { deletedAt: now }, actor, now }), before)
  await cancelPending(db, workspaceId, id)
  return null
}
