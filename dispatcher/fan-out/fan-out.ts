// Turns outbox rows into deliveries: both, or neither. What is planned is read first and written after, in one statement,
// which does nothing unless the webhooks are as they were read. It may run twice for one event, in two processes at
// once: the ids are the same, and the second finds nothing to do.
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import { ofDelivery, whatIsSent, type LoadedDelivery } from '../queue/loaded-delivery.ts'
import { leaseEndFromNow, leaseSeconds, type LeasedDelivery } from '../queue/leases.ts'
import type { Line } from '../queue/order-lines.ts'
import { planDeliveries, type PlannedDelivery } from './match-webhooks.ts'
import { waitingByIds, type WaitingEvents } from './outbox-rows.ts'
import { readWaiting, type ReadEvent, type ReadWaiting, type ReadWebhook } from './read-waiting.ts'

export type FanOutOptions = {
  readonly owner: string
  readonly maxAttempts: number
  /** Whether one more delivery of this webhook can be queued here. Others get no lease and are left to any dispatcher. */
  readonly hasCapacity: (webhookId: string) => boolean
  /** Whether it would start at once. Then it is marked as being sent, and loaded. Asked of those with capacity alone. */
  readonly hasSlot: (planned: { readonly workspaceId: string; readonly webhookId: string }) => boolean
}
export type FannedOut = {
  readonly events: number
  /** How many were waiting. The others have been fanned out by somebody else. */
  readonly found: number
  readonly leased: readonly LeasedDelivery[]
  readonly loaded: readonly LoadedDelivery[]
  /** The webhooks of which deliveries can be claimed at once. */
  readonly claimable: readonly string[]
  /** The lines that deliveries were added to. */
  readonly lines: readonly Line[]
}

/** Whoever changes a webhook again and again holds nobody up: the second time the webhooks are locked before they are read. */
export async function fanOut(db: Database, waiting: WaitingEvents, options: FanOutOptions): Promise<FannedOut> {
  const leaseEndsAt = leaseEndFromNow()
  const read = await readWaiting(db, waiting)
  return (await tryFanOut(db, read, leaseEndsAt, options)) ?? fanOutLocked(db, read.events, options)
}

/** Changes of a webhook begin with a lock that this one keeps out (service/webhooks/rows.ts). */
function fanOutLocked(db: Database, events: readonly ReadEvent[], options: FanOutOptions): Promise<FannedOut> {
  const leaseEndsAt = leaseEndFromNow()
  return transact(db, async (tx) => {
    await tx.$queryRaw`
      SELECT 1 FROM webhook WHERE workspace_id = ANY (${[...new Set(events.map(({ workspaceId }) => workspaceId))]}::uuid[])
      ORDER BY id FOR KEY SHARE`
    const read = await readWaiting(tx, waitingByIds(events.map(({ id }) => id)))
    const done = await tryFanOut(tx, read, leaseEndsAt, options)
    if (done === null) throw new Error('A webhook was changed while it was locked')
    return done
  })
}

type Statements = Pick<Database, '$queryRaw'>

async function tryFanOut(
  db: Statements,
  { events, webhooks }: ReadWaiting,
  leaseEndsAt: number,
  { owner, maxAttempts, hasCapacity, hasSlot }: FanOutOptions,
): Promise<FannedOut | null> {
  if (events.length === 0) return { events: 0, found: 0, leased: [], loaded: [], claimable: [], lines: [] }
  const planned = planDeliveries(events, webhooks)
  const rows = planned.map((one) => {
    const leased = !one.waits && !one.isLeft && hasCapacity(one.webhookId)
    return toRow(one, leased, leased && hasSlot(one))
  })
  const written = await write(db, { events, rows, webhooks: plannedWebhooks(planned, webhooks), owner, maxAttempts })
  if (written === null) return null
  const { inserted, fannedOut } = written
  const claimable = new Set(planned.flatMap(({ webhookId, isClaimable }) => (isClaimable ? [webhookId] : [])))
  return {
    events: fannedOut,
    found: events.length,
    leased: inserted.flatMap(({ leased, workspaceId, id, webhookId }) =>
      leased ? [{ workspaceId, id, webhookId, leaseEndsAt }] : [],
    ),
    loaded: inserted.filter((row) => isLoaded(row)),
    claimable: [...claimable],
    lines: linesOf(inserted),
  }
}

function plannedWebhooks(planned: readonly PlannedDelivery[], webhooks: readonly ReadWebhook[]) {
  const ids = new Set(planned.map(({ webhookId }) => webhookId))
  return webhooks
    .filter(({ id }) => ids.has(id))
    .map(({ workspaceId, id, version }) => ({ workspace_id: workspaceId, id, version }))
}

type Write = {
  readonly events: readonly ReadEvent[]
  readonly rows: readonly ReturnType<typeof toRow>[]
  readonly webhooks: ReturnType<typeof plannedWebhooks>
  readonly owner: string
  readonly maxAttempts: number
}

/**
 * Resolves to null, with nothing written, when a webhook is not as it was read. They are locked against being paused or
 * deleted until the deliveries exist, which a pause holds and a deletion cancels. Rows of the outbox that others have
 * locked are theirs.
 */
async function write(db: Statements, { events, rows, webhooks, owner, maxAttempts }: Write): Promise<Written | null> {
  const answer = await db.$queryRaw<readonly (Inserted | Nothing)[]>`
    WITH locked AS MATERIALIZED (
      SELECT w.id FROM jsonb_to_recordset(${JSON.stringify(webhooks)}::jsonb) AS read(workspace_id uuid, id uuid, version text)
      JOIN webhook w ON w.workspace_id = read.workspace_id AND w.id = read.id AND w.xmin::text = read.version
      ORDER BY w.id FOR KEY SHARE OF w
    ), unchanged AS MATERIALIZED (
      SELECT count(*) = ${webhooks.length}::int AS value FROM locked
    ), taken AS (
      DELETE FROM outbox WHERE event_id = ANY (ARRAY(
        SELECT event_id FROM outbox
        WHERE event_id = ANY (${events.map(({ id }) => id)}::uuid[]) AND (SELECT value FROM unchanged)
        FOR UPDATE SKIP LOCKED
      )) RETURNING event_id
    ), d AS (
      INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at,
                            next_attempt_at, lease_owner, lease_until, sending_since, order_key, place)
      SELECT workspace_id, id, r.event_id, event_type, webhook_id, 'pending', origin, ${maxAttempts}::int, now(),
             CASE WHEN NOT waits THEN now() END,
             CASE WHEN leased THEN ${owner}::text END,
             CASE WHEN leased THEN now() + ${leaseSeconds}::int * interval '1 second' END,
             CASE WHEN starts THEN now() END, order_key, place
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(workspace_id uuid, id uuid, event_id uuid, event_type text, webhook_id uuid, origin text, waits boolean,
             leased boolean, starts boolean, order_key uuid, place numeric)
      WHERE r.event_id IN (SELECT event_id FROM taken)
      ON CONFLICT DO NOTHING
      RETURNING *
    )
    SELECT unchanged.value AS unchanged, (SELECT count(*) FROM taken)::int AS "fannedOut", inserted.*
    FROM unchanged LEFT JOIN (
      SELECT ${ofDelivery}, d.lease_owner IS NOT NULL AS leased, sent.*
      FROM d LEFT JOIN LATERAL (${whatIsSent}) sent ON d.sending_since IS NOT NULL
    ) inserted ON true`
  const [{ unchanged, fannedOut } = { unchanged: false, fannedOut: 0 }] = answer
  return unchanged ? { fannedOut, inserted: answer.filter((row) => row.id !== null) } : null
}

type Written = { readonly fannedOut: number; readonly inserted: readonly Inserted[] }
/** Of the whole statement, in each of its rows. */
type Statement = { readonly unchanged: boolean; readonly fannedOut: number }
type NotLoaded = Pick<LoadedDelivery, 'workspaceId' | 'id' | 'webhookId' | 'orderKey'> & { readonly url: null }
type Inserted = Statement & { readonly leased: boolean } & (LoadedDelivery | NotLoaded)
type Nothing = Statement & { readonly id: null }

const linesOf = (inserted: readonly Inserted[]): Line[] =>
  inserted.flatMap(({ webhookId, orderKey }) => (orderKey === null ? [] : [{ webhookId, orderKey }]))

const isLoaded = (row: LoadedDelivery | NotLoaded): row is LoadedDelivery => row.url !== null

const toRow = (
  { workspaceId, id, eventId, eventType, webhookId, origin, waits, orderKey, place }: PlannedDelivery,
  leased: boolean,
  starts: boolean,
) => ({
  workspace_id: workspaceId,
  id,
  event_id: eventId,
  event_type: eventType,
  webhook_id: webhookId,
  ...{ origin, waits, leased, starts, order_key: orderKey, place },
})
