// Deliveries between the contract and the tables. The dispatcher makes and ends them; here they are read, and told to
// wait, go on, stop or start anew.
import type { Attempt, Delivery, DeliveryStatus, Timings } from '#contract/deliveries.ts'
import { bodyOf, type Payload } from '#contract/event-envelope.ts'
import { Fault } from '#contract/fault.ts'
import { isGranted, typesOf } from '#contract/webhook-grants.ts'
import { readScopeOf } from '#contract/scope.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import type { Attempt as AttemptRow, Delivery as Row, Prisma } from '#prisma/generated/client.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Db } from '../execution/handler.ts'

const waiting = ['pending', 'retrying'] satisfies DeliveryStatus[]

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** One of a kind that the caller may read, as are all that are found or locked. */
export async function findDelivery({ db, workspaceId, principal }: Caller, id: string): Promise<Delivery> {
  const row = await db.delivery.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw new Fault('not_found', 'No delivery has this id.')
  assertHolds([readScopeOf(row.eventType)], principal.scopes, 'For deliveries of this kind')
  return toDelivery(row)
}

/** Nobody else changes it until this transaction ends. */
export async function lockDelivery(caller: Caller, id: string): Promise<Delivery> {
  const { db, workspaceId } = caller
  await db.$queryRaw`SELECT 1 FROM delivery WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`
  return findDelivery(caller, id)
}

export async function startAnew(tx: Db, { workspaceId, id }: Delivery, now: Date): Promise<Delivery> {
  const row = await tx.delivery.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: {
      status: 'pending',
      origin: 'replay',
      tries: 0,
      nextAttemptAt: now,
      leaseOwner: null,
      leaseUntil: null,
      sendingSince: null,
      deliveredAt: null,
      deadLetteredAt: null,
    },
  })
  return toDelivery(row)
}

export async function cancelWaiting(
  tx: Db,
  workspaceId: string,
  webhookId: string,
  which: Prisma.DeliveryWhereInput = {},
): Promise<void> {
  await tx.delivery.updateMany({
    where: { workspaceId, webhookId, status: { in: waiting }, ...which },
    data: { status: 'cancelled', nextAttemptAt: null, leaseOwner: null, leaseUntil: null },
  })
}

/** What was made for other grants than the webhook has by now goes nowhere. */
export async function cancelUngranted(tx: Db, { workspaceId, id, grants }: Webhook): Promise<void> {
  const granted = typesOf(['*']).filter((type) => isGranted(grants.scopes, type))
  await cancelWaiting(tx, workspaceId, id, { eventType: { notIn: granted } })
}

/** A waiting delivery without a next attempt is one of a paused webhook. */
export async function holdWaiting(tx: Db, workspaceId: string, webhookId: string): Promise<void> {
  await tx.delivery.updateMany({
    where: { workspaceId, webhookId, status: { in: waiting } },
    data: { nextAttemptAt: null },
  })
}

export async function releaseWaiting(tx: Db, workspaceId: string, webhookId: string, now: Date): Promise<void> {
  const where = { workspaceId, webhookId, status: { in: waiting }, nextAttemptAt: null }
  await tx.delivery.updateMany({ where, data: { nextAttemptAt: now } })
}

export function toDelivery(row: Row): Delivery {
  const { tries, leaseOwner: _owner, leaseUntil: _until, sendingSince: _since, ...shown } = row
  return {
    ...shown,
    object: 'delivery',
    // Attempts are counted for ever, tries from the last start on: what went before it leaves as many as ever.
    maxAttempts: row.attemptCount - tries + row.maxAttempts,
    // The table's checks allow no other values.
    status: row.status as Delivery['status'],
    origin: row.origin as Delivery['origin'],
    nextAttemptAt: timeText(row.nextAttemptAt),
    createdAt: row.createdAt.toISOString(),
    deliveredAt: timeText(row.deliveredAt),
    deadLetteredAt: timeText(row.deadLetteredAt),
  }
}

export function toAttempt(row: AttemptRow, eventBody: string): Attempt {
  return {
    id: `${row.deliveryId}-${row.number}`,
    object: 'attempt',
    deliveryId: row.deliveryId,
    number: row.number,
    trigger: row.trigger as Attempt['trigger'],
    startedAt: row.startedAt.toISOString(),
    durationMs: row.durationMs,
    timings: row.timings as Timings | null,
    request: {
      url: row.url,
      headers: row.requestHeaders as Record<string, string>,
      body: bodyOf(eventBody, row.payload as Payload),
    },
    response:
      row.responseStatus === null
        ? null
        : {
            status: row.responseStatus,
            headers: (row.responseHeaders ?? {}) as Record<string, string>,
            body: row.responseBody ?? '',
            truncated: row.truncated,
          },
    outcome: row.outcome as Attempt['outcome'],
    errorCode: row.errorCode,
  }
}

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
