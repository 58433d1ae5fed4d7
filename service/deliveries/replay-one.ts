import type { replayDelivery } from '#contract/deliveries.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Handler } from '../execution/handler.ts'
import { lockDelivery, restart } from './rows.ts'
import { assertAccess } from '../webhooks/access.ts'
import { endRest } from '../webhooks/rows.ts'
import { assertGranted, assertActive } from '../webhooks/can-receive.ts'

export const replay: Handler<typeof replayDelivery> = async ({ id }, call) => {
  const { db, workspaceId, principal, now } = call
  const before = await lockDelivery(call, id)
  const webhook = await db.webhook.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: before.webhookId } },
  })
  assertAccess(webhook, principal)
  if (before.status !== 'delivered' && before.status !== 'dead_letter') {
    throw new Fault('invalid_transition', `A delivery that is ${before.status} cannot be replayed.`, {
      from: before.status,
      to: 'pending',
      allowed: [],
    })
  }
  assertActive(webhook)
  assertGranted(webhook, before.eventType)
  const after = await restart(db, before, now)
  await endRest(db, workspaceId, before.webhookId, now)
  return after
}
