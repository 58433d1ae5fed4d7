import { Fault } from '#contract/faults/fault.ts'
import type { pauseWebhook } from '#contract/webhooks.ts'
import { holdPending } from './pending-deliveries.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { lockWebhook, updateWebhook } from './rows.ts'

export const pause: Handler<typeof pauseWebhook> = async ({ id }, call) => {
  const before = await lockWebhook(call, id)
  if (before.status === 'paused') return before
  if (before.status === 'disabled') {
    throw new Fault('invalid_transition', 'A disabled webhook can only be enabled.', {
      from: 'disabled',
      to: 'paused',
      allowed: ['active'],
    })
  }
  return pauseActive(before, call)
}

export async function pauseActive(before: Webhook, { db, workspaceId, actor, now, audit }: Call): Promise<Webhook> {
  await holdPending(db, workspaceId, before.id)
  const after = await updateWebhook(db, before, { data: { status: 'paused', statusChangedAt: now }, actor, now })
  audit(after, before)
  return after
}
