import { deliveryId } from '#contract/internal/deliveries.ts'
import { webhookTest, type testWebhook } from '#contract/webhooks.ts'
import type { Handler } from '../execution/handler.ts'
import { assertActive } from './can-receive.ts'
import { findWebhook } from './rows.ts'

/** The dispatcher sends a `webhooks.test` event to the webhook that it is about, and to no other. */
export const test: Handler<typeof testWebhook> = async ({ id, eventType }, call) => {
  const webhook = await findWebhook(call, id)
  assertActive(webhook)
  const eventId = call.emit(webhookTest, { ...webhook, ...(eventType !== undefined && { exampleOf: eventType }) })
  return { eventId, deliveryId: deliveryId(eventId, id) }
}
