import type { replayDelivery } from '#contract/deliveries.ts'
import { Fault } from '#contract/fault.ts'
import type { Handler } from '../handler.ts'
import { lockDelivery, startAnew } from './rows.ts'
import { assertSendable } from './sendable.ts'

export const replay: Handler<typeof replayDelivery> = async ({ id }, { db, workspaceId, now }) => {
  const before = await lockDelivery(db, workspaceId, id)
  if (before.status !== 'delivered' && before.status !== 'dead_letter') {
    throw new Fault('invalid_transition', `A delivery that is ${before.status} cannot be replayed.`, {
      from: before.status,
      to: 'pending',
      allowed: [],
    })
  }
  assertSendable(await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id: before.webhookId } } }))
  return startAnew(db, before, now)
}
