import type { revokeWebhookGrants } from '#contract/webhooks.ts'
import { cancelUngranted } from './pending-deliveries.ts'
import type { Handler } from '../execution/handler.ts'
import { lockWebhook, updateWebhook } from './rows.ts'

export const revokeGrants: Handler<typeof revokeWebhookGrants> = async ({ id, scopes }, call) => {
  const { db, actor, now, audit } = call
  const before = await lockWebhook(call, id)
  const { grants } = before
  const revoked: readonly string[] = scopes ?? grants.scopes
  const kept = grants.scopes.filter((scope) => !revoked.includes(scope))
  if (kept.length === grants.scopes.length) return before
  const after = await updateWebhook(db, before, { data: { grants: { ...grants, scopes: kept } }, actor, now })
  await cancelUngranted(db, after)
  audit(after, before)
  return after
}
