// The deliveries that a webhook still has to be sent (pending or retrying): held while it is paused or disabled, released
// when it is enabled, cancelled when it is deleted or loses a grant. Called in the transaction that changes the webhook.
import type { DeliveryStatus } from '#contract/deliveries.ts'
import { isGranted, typesOf } from '#contract/webhook-grants.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/call.ts'

const pending = ['pending', 'retrying'] satisfies DeliveryStatus[]

export async function cancelPending(
  tx: Db,
  workspaceId: string,
  webhookId: string,
  which: Prisma.DeliveryWhereInput = {},
): Promise<void> {
  await tx.delivery.updateMany({
    where: { workspaceId, webhookId, status: { in: pending }, ...which },
    data: { status: 'cancelled', nextAttemptAt: null, leaseOwner: null, leaseUntil: null },
  })
}

/** Cancels the deliveries of event types that the webhook is no longer granted. */
export async function cancelUngranted(tx: Db, { workspaceId, id, grants }: Webhook): Promise<void> {
  const granted = typesOf(['*']).filter((type) => isGranted(grants.scopes, type))
  await cancelPending(tx, workspaceId, id, { eventType: { notIn: granted } })
}

/** A pending delivery without a next attempt is held. In an order they wait where they are: nothing is sent to a webhook that is paused. */
export async function holdPending(tx: Db, workspaceId: string, webhookId: string): Promise<void> {
  await tx.delivery.updateMany({
    where: { workspaceId, webhookId, status: { in: pending }, orderKey: null },
    data: { nextAttemptAt: null },
  })
}

export async function releasePending(tx: Db, workspaceId: string, webhookId: string, now: Date): Promise<void> {
  const where = { workspaceId, webhookId, status: { in: pending }, nextAttemptAt: null, orderKey: null }
  await tx.delivery.updateMany({ where, data: { nextAttemptAt: now } })
}
