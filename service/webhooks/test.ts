import { Fault } from '#contract/fault.ts'
import { webhookTest, type testWebhook } from '#contract/webhooks.ts'
import type { Handler } from '../execution/handler.ts'
import { findWebhook } from './rows.ts'

/** The dispatcher hands a `webhooks.test` event to the webhook that it is about, and to no other. */
export const test: Handler<typeof testWebhook> = async ({ id }, call) => {
  const webhook = await findWebhook(call, id)
  if (webhook.status !== 'active') {
    throw new Fault('invalid_transition', `The webhook is ${webhook.status}. Enable it first.`, {
      from: webhook.status,
      allowed: ['active'],
    })
  }
  return { eventId: call.emit(webhookTest, webhook) }
}
