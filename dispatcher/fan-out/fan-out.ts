// Turns outbox rows into deliveries: both, or neither. What is planned is read first and written after, in one
// statement, which does nothing unless the webhooks are as they were read. It may run twice for one event, in two
// processes at once: the ids are the same, and the second finds nothing to do.
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { LoadedDelivery } from '../queue/delivery-rows.ts'
import { leaseEndFromNow, type LeasedDelivery } from '../queue/leases.ts'
import type { OrderingKey } from '../queue/ordering-rows.ts'
import { planDeliveries } from './match-webhooks.ts'
import { openProcessSpans, type FanOutTracing, type ProcessSpans } from './process-spans.ts'
import {
  lockWebhooks,
  waitingByIds,
  type WaitingEvents,
  readWaiting,
  type ReadEvent,
  type ReadWaiting,
  writeDeliveries,
  type LeasedPlan,
  type Written,
} from './rows.ts'

export type FanOutOptions = {
  readonly owner: string
  readonly maxAttempts: number
  /**
   * Whether one more delivery of this webhook can be queued here. Others get no lease and are left to any dispatcher.
   */
  readonly hasCapacity: (webhookId: string) => boolean
  /**
   * Whether it would start at once. Then it is marked as being sent, and loaded. Asked of those with capacity alone.
   */
  readonly hasSlot: (planned: { readonly workspaceId: string; readonly webhookId: string }) => boolean
  /** Null: no spans are recorded. */
  readonly traced: FanOutTracing | null
}
export type FannedOut = {
  readonly events: number
  /** How many were waiting. Another dispatcher has fanned out the others. */
  readonly found: number
  readonly leased: readonly LeasedDelivery[]
  readonly loaded: readonly LoadedDelivery[]
  /** The webhooks of which deliveries can be claimed at once. */
  readonly claimable: readonly string[]
  /** The ordering keys that deliveries were added to. */
  readonly orderingKeys: readonly OrderingKey[]
}

/** Tries a second time with locked webhooks, so that a webhook that changes again and again holds up no event. */
export async function fanOut(db: Database, waiting: WaitingEvents, options: FanOutOptions): Promise<FannedOut> {
  const leaseEndsAt = leaseEndFromNow()
  const read = await readWaiting(db, waiting)
  return (await tryFanOut(db, read, leaseEndsAt, options)) ?? fanOutLocked(db, read.events, options)
}

/**
 * Locks the webhooks first. Changes of a webhook begin with a lock that this one keeps out (service/webhooks/rows.ts).
 */
function fanOutLocked(db: Database, events: readonly ReadEvent[], options: FanOutOptions): Promise<FannedOut> {
  const leaseEndsAt = leaseEndFromNow()
  return transact(db, async (tx) => {
    await lockWebhooks(tx, [...new Set(events.map(({ workspaceId }) => workspaceId))])
    const read = await readWaiting(tx, waitingByIds(events.map(({ id }) => id)))
    const done = await tryFanOut(tx, read, leaseEndsAt, options)
    if (done === null) throw new Error('A webhook was changed while it was locked')
    return done
  })
}

async function tryFanOut(
  db: Prisma.TransactionClient,
  read: ReadWaiting,
  leaseEndsAt: number,
  options: FanOutOptions,
): Promise<FannedOut | null> {
  if (read.events.length === 0) return { events: 0, found: 0, leased: [], loaded: [], claimable: [], orderingKeys: [] }
  const spans = openProcessSpans(read.events, options.traced)
  let error: string | null = 'database'
  try {
    const done = await writeFanOut(db, read, leaseEndsAt, options, spans)
    error = done === null ? 'webhook_changed' : null
    return done
  } finally {
    spans.end(error)
  }
}

async function writeFanOut(
  db: Prisma.TransactionClient,
  { events, webhooks }: ReadWaiting,
  leaseEndsAt: number,
  { owner, maxAttempts, hasCapacity, hasSlot }: FanOutOptions,
  { traceOf }: ProcessSpans,
): Promise<FannedOut | null> {
  const planned = planDeliveries(events, webhooks).map((one): LeasedPlan => {
    const leased = !one.waits && !one.isLeft && hasCapacity(one.webhookId)
    return { ...one, leased, starts: leased && hasSlot(one) }
  })
  const ids = new Set(planned.map(({ webhookId }) => webhookId))
  const concerned = webhooks.filter(({ id }) => ids.has(id))
  const written = await writeDeliveries(db, { events, planned, webhooks: concerned, owner, maxAttempts })
  if (written === null) return null
  const isInserted = new Set(written.inserted)
  const inserted = planned.filter(({ id }) => isInserted.has(id))
  const traces = new Map(events.map((event) => [event.id, traceOf(event)]))
  return {
    events: written.fannedOut,
    found: events.length,
    leased: inserted.flatMap(({ leased, workspaceId, id, webhookId }) =>
      leased ? [{ workspaceId, id, webhookId, leaseEndsAt }] : [],
    ),
    loaded: inserted.flatMap((one) => (one.starts ? loadedBy(written, one, maxAttempts, traces) : [])),
    claimable: [...new Set(planned.flatMap(({ webhookId, isClaimable }) => (isClaimable ? [webhookId] : [])))],
    orderingKeys: inserted.flatMap(({ webhookId, orderingKey: key }) => (key === null ? [] : [{ webhookId, key }])),
  }
}

/** Returns none when its webhook gets nothing at present: loading it later finds out what there is to do. */
function loadedBy(
  { bodies, targets, expiresAt }: Written,
  planned: LeasedPlan,
  maxAttempts: number,
  traces: ReadonlyMap<string, string | null>,
): LoadedDelivery[] {
  const [eventBody, target] = [bodies[planned.eventId], targets[planned.webhookId]]
  if (eventBody === undefined || target === undefined || (target.isCircuitOpen && planned.origin !== 'test')) return []
  const { isCircuitOpen: _isCircuitOpen, ...sentTo } = target
  return [
    {
      workspaceId: planned.workspaceId,
      id: planned.id,
      webhookId: planned.webhookId,
      orderingKey: planned.orderingKey,
      eventType: planned.eventType,
      eventBody,
      trace: traces.get(planned.eventId) ?? null,
      origin: planned.origin,
      attemptCount: 0,
      attemptsSinceReplay: 0,
      maxAttempts,
      expiresAt,
      ...sentTo,
    },
  ]
}
