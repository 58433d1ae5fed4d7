// Deliveries and attempts, and their form in the contract. The dispatcher inserts them and makes the attempts; here
// they are read, and started again.
import { eventsOfRequestMax, type Attempt, type Delivery, type Timings } from '#contract/deliveries.ts'
import { deliveryBody, type Payload } from '#contract/event.ts'
import { deliveredEvent, shownHeaders } from '#contract/internal/deliveries.ts'
import { unixSecondsOf } from '#contract/internal/webhook-request.ts'
import { Fault } from '#contract/faults/fault.ts'
import { readScopeOf } from '#contract/scopes.ts'
import { Prisma, type Attempt as AttemptRow, type Delivery as DeliveryRow } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { column, command, query } from '#prisma/statements.ts'
import { fromStoredTrace } from '#runtime/tracing/trace-context.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Db } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { letThrough } from '../webhooks/rules.ts'

type DeliveryCall = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** Throws `insufficient_scope` for an event type that the caller may not read, as `lockDelivery` does. */
export async function findDelivery({ db, workspaceId, principal }: DeliveryCall, id: string): Promise<Delivery> {
  const row = await db.delivery.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('delivery')
  assertHolds([readScopeOf(row.eventType)], principal.scopes, 'For deliveries of this kind')
  return toOne(db, row)
}

const lockRow = command(
  (workspaceId: string, id: string) =>
    Prisma.sql`SELECT 1 FROM delivery WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`,
)

/** Locks the row until the transaction ends. */
export async function lockDelivery(caller: DeliveryCall, id: string): Promise<Delivery> {
  const { db, workspaceId } = caller
  await lockRow(db, workspaceId, id)
  return findDelivery(caller, id)
}

/**
 * Makes the delivery pending again with its full number of attempts: due before all others of its webhook, or in the
 * order of its key. One that is being sent is left alone: another attempt beside it would bring nothing but a
 * duplicate. Throws `invalid_transition` for one that the operator is to release. The row is locked.
 */
export async function restart(tx: Db, { workspaceId, id }: Pick<Delivery, 'workspaceId' | 'id'>, now: Date) {
  const where = { workspaceId_id: { workspaceId, id } }
  const before = await tx.delivery.findUniqueOrThrow({ where })
  if (isHeld(before)) throw new Fault('invalid_transition', heldText, { from: before.status, allowed: [] })
  if (isBeingSent(before, now)) return toOne(tx, before)
  const keepsPlace = isWaiting(before) && before.orderKey !== null
  await tx.delivery.update({
    where,
    data: {
      status: 'pending',
      origin: 'replay',
      tries: 0,
      nextAttemptAt: keepsPlace && before.nextAttemptAt === null ? null : await firstInLine(tx, before, now),
      leaseOwner: null,
      leaseUntil: null,
      sendingSince: null,
      restartedAt: now,
      deliveredAt: null,
      deadLetteredAt: null,
    },
  })
  if (!keepsPlace) await requeue(tx, workspaceId, [id])
  return toOne(tx, await tx.delivery.findUniqueOrThrow({ where }))
}

const heldText =
  'The delivery is held since the installation was restored from a backup, until the operator releases it.'

type Waiting = Pick<DeliveryRow, 'nextAttemptAt'>
export const isHeld = ({ nextAttemptAt }: Waiting): boolean => nextAttemptAt !== null && nextAttemptAt >= heldUntil

const isWaiting = ({ status }: Pick<DeliveryRow, 'status'>): boolean => status === 'pending' || status === 'retrying'

/** The lease of a dispatcher that was lost ends soon. */
const isBeingSent = ({ sendingSince, leaseUntil }: DeliveryRow, now: Date): boolean =>
  sendingSince !== null && leaseUntil !== null && leaseUntil > now

const oldestDue = query(
  { at: column.time.present },
  (workspaceId: string, webhookId: string) => Prisma.sql`
    SELECT next_attempt_at AS at FROM delivery
    WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${webhookId}::uuid AND next_attempt_at IS NOT NULL
    ORDER BY next_attempt_at LIMIT 1`,
)

/** A claim takes those that have been due for the longest first. Of an open circuit the first is the probe. */
async function firstInLine(tx: Db, { workspaceId, webhookId }: DeliveryRow, now: Date): Promise<Date> {
  const [oldest] = await oldestDue(tx, workspaceId, webhookId)
  return oldest === undefined || oldest.at > now ? now : new Date(oldest.at.getTime() - 1)
}

type OpenCircuit = { readonly circuitOpenUntil: Date | null; readonly probeId: string | null }

async function toOne(db: Db, row: DeliveryRow): Promise<Delivery> {
  const [delivery] = await toDeliveries(db, row.workspaceId, [row])
  if (delivery === undefined) throw new Error('Each row is a delivery')
  return delivery
}

/** With the circuits of their webhooks, which decide when what is due is sent. */
export async function toDeliveries(db: Db, workspaceId: string, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const ids = [...new Set(rows.flatMap((row) => (row.nextAttemptAt === null ? [] : [row.webhookId])))]
  const open =
    ids.length === 0
      ? []
      : await db.webhookHealth.findMany({
          where: { workspaceId, webhookId: { in: ids }, circuitOpenUntil: { not: null } },
          select: { webhookId: true, circuitOpenUntil: true, probeId: true },
        })
  const circuits = new Map(open.map(({ webhookId, ...circuit }) => [webhookId, circuit]))
  return rows.map((row) => toDelivery(row, circuits.get(row.webhookId)))
}

export function toDelivery(row: DeliveryRow, circuit?: OpenCircuit): Delivery {
  const { tries, leaseOwner: _owner, leaseUntil: _until, sendingSince: _since, restartedAt: _restarted, ...rest } = row
  const { orderKey: _key, place: _place, ...shown } = rest
  return {
    ...shown,
    object: 'delivery',
    // `attemptCount` counts every attempt, `tries` those since the last start: each start allows `row.maxAttempts`
    // more.
    maxAttempts: row.attemptCount - tries + row.maxAttempts,
    // The table's checks allow no other values.
    status: row.status as Delivery['status'],
    origin: row.origin as Delivery['origin'],
    // What is held has a time that never comes. Test events and the probe pass an open circuit.
    nextAttemptAt: isHeld(row)
      ? null
      : (letThrough(
          row.nextAttemptAt,
          row.origin === 'test' || circuit?.probeId === row.id ? null : (circuit?.circuitOpenUntil ?? null),
        )?.toISOString() ?? null),
    createdAt: row.createdAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    deadLetteredAt: row.deadLetteredAt?.toISOString() ?? null,
  }
}

type AttemptedEvent = Parameters<typeof deliveredEvent>[0] & { readonly trace: Uint8Array | null }

/** `event` holds the type of the delivery, and of its event the stored body and trace. */
export function toAttempt(row: AttemptRow, event: AttemptedEvent): Attempt {
  const { deliveryId } = row
  const traceparent = event.trace === null ? null : fromStoredTrace(Buffer.from(event.trace).toString('hex'))
  const { eventType, eventBody } = deliveredEvent(event)
  const requested = { deliveryId, eventType, unixSeconds: unixSecondsOf(row.startedAt), traceparent }
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

/**
 * Moves replayed deliveries of an ordered webhook to the end of their ordering key's queue: behind all that was
 * recorded before the replay, and ahead of every later event. They keep their order; deliveries without an ordering key
 * do not change.
 */
export const requeue = command(
  (workspaceId: string, ids: readonly string[]) => Prisma.sql`
    UPDATE delivery d SET next_attempt_at = NULL, place = moved.place
    FROM (
      SELECT r.id, greatest(q.last, behind.place) + row_number() OVER (ORDER BY r.place) / 1e12 AS place
      FROM event_sequence q JOIN delivery r ON r.workspace_id = q.workspace_id CROSS JOIN LATERAL (
        SELECT place FROM delivery
        WHERE workspace_id = r.workspace_id AND webhook_id = r.webhook_id AND order_key = r.order_key AND order_key IS NOT NULL
          AND status IN ('pending', 'retrying') ORDER BY place DESC LIMIT 1
      ) behind
      WHERE r.workspace_id = ${workspaceId}::uuid AND r.id = ANY (${ids}::uuid[]) AND r.order_key IS NOT NULL
    ) moved
    WHERE d.workspace_id = ${workspaceId}::uuid AND d.id = moved.id`,
)

const eventsOfRequest = query(
  { id: column.uuid },
  (workspaceId: string, requestId: string) => Prisma.sql`
    SELECT id FROM event WHERE workspace_id = ${workspaceId}::uuid AND request_id = ${requestId}
    ORDER BY sequence DESC LIMIT ${eventsOfRequestMax}::int`,
)

export async function eventsOf(db: Db, workspaceId: string, requestId: string): Promise<string[]> {
  const events = await eventsOfRequest(db, workspaceId, requestId)
  return events.map(({ id }) => id)
}
