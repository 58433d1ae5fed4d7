// Deliveries between the contract and the tables. The dispatcher inserts them and makes their attempts; here they are
// read, and started again.
import type { Attempt, Delivery, Timings } from '#contract/deliveries.ts'
import { deliveryBody, type Payload } from '#contract/event.ts'
import { deliveredEvent, shownHeaders, unixSecondsOf } from '#contract/internal/deliveries.ts'
import { readScopeOf } from '#contract/scopes.ts'
import type { Attempt as AttemptRow, Delivery as Row } from '#prisma/generated/client.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Db } from '../execution/handler.ts'
import { notFoundById } from '../faults/not-found.ts'
import { rejoinLine } from './rejoin-line.ts'

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** Throws `insufficient_scope` for an event type that the caller may not read. `lockDelivery` does, too. */
export async function findDelivery({ db, workspaceId, principal }: Caller, id: string): Promise<Delivery> {
  const row = await db.delivery.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('delivery')
  assertHolds([readScopeOf(row.eventType)], principal.scopes, 'For deliveries of this kind')
  return toDelivery(row)
}

/** Locks the row until the transaction ends. */
export async function lockDelivery(caller: Caller, id: string): Promise<Delivery> {
  const { db, workspaceId } = caller
  await db.$queryRaw`SELECT 1 FROM delivery WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`
  return findDelivery(caller, id)
}

/** Makes the delivery pending again, due at once or in its turn, with its full number of attempts. */
export async function restart(tx: Db, { workspaceId, id }: Delivery, now: Date): Promise<Delivery> {
  const { orderKey } = await tx.delivery.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: {
      status: 'pending',
      origin: 'replay',
      tries: 0,
      nextAttemptAt: now,
      leaseOwner: null,
      leaseUntil: null,
      sendingSince: null,
      restartedAt: now,
      deliveredAt: null,
      deadLetteredAt: null,
    },
  })
  if (orderKey !== null) await rejoinLine(tx, workspaceId, [id])
  return toDelivery(await tx.delivery.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } }))
}

export function toDelivery(row: Row): Delivery {
  const { tries, leaseOwner: _owner, leaseUntil: _until, sendingSince: _since, restartedAt: _restarted, ...rest } = row
  const { orderKey: _key, place: _place, ...shown } = rest
  return {
    ...shown,
    object: 'delivery',
    // `attemptCount` counts every attempt, `tries` those since the last start: each start allows `row.maxAttempts` more.
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

/** `event`: the kind of the delivery and the stored body of its event. */
export function toAttempt(row: AttemptRow, event: Parameters<typeof deliveredEvent>[0]): Attempt {
  const { deliveryId } = row
  const { eventType, eventBody } = deliveredEvent(event)
  const requested = { deliveryId, eventType, unixSeconds: unixSecondsOf(row.startedAt) }
  return {
    id: `${deliveryId}-${row.number}`,
    object: 'attempt',
    deliveryId,
    number: row.number,
    trigger: row.trigger as Attempt['trigger'],
    startedAt: row.startedAt.toISOString(),
    durationMs: row.durationMs,
    timings: row.timings as Timings | null,
    request: {
      url: row.url,
      headers: shownHeaders(row.requestHeaders as Record<string, string>, requested),
      body: deliveryBody(eventBody, row.payload as Payload),
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
