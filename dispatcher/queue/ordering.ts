// Strict order. Deliveries of an ordered webhook share an ordering key: the webhook's id, or the id of the object that
// the event is about (column `order_key`). Within a key they follow each other by the number of their event (column
// `place`). They wait without a time of their next attempt, so claims never read them. The first of a key becomes its
// head: it gets that time, and stays the head over retries, crashes and pauses until it is delivered, dead-lettered or
// cancelled.
//
// A delivery becomes the head when its key has none, and no earlier event of the workspace waits in the outbox. Events
// of a workspace are committed in the order of their numbers, and an outbox row goes in the transaction that brings its
// deliveries: an earlier event that is in neither place does not exist. One dispatcher at a time advances heads, under
// an advisory lock: at once where a delivery was fanned out or has ended, and once a second in all keys, for what else
// frees a key (replays, webhooks that are enabled, dispatchers that are gone).
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { loop } from '#runtime/loop.ts'

export type OrderingKey = { readonly webhookId: string; readonly key: string }
export type Advance = {
  /** How many keys were looked at, and the last of them. */
  readonly looked: number
  readonly last: OrderingKey | null
  /** The webhooks of which a delivery became a head. */
  readonly webhookIds: readonly string[]
  /** Keys whose first delivery waits for an earlier event to be fanned out. */
  readonly early: readonly OrderingKey[]
}

/** How many keys are looked at in one statement. */
export const keysMax = 500
/** Names the advisory lock: any number that no other lock has. */
const headsLock = 7_239_001

export const advanceHeads = (db: Database, keys: readonly OrderingKey[]): Promise<Advance> =>
  advance(
    db,
    Prisma.sql`
      SELECT k."webhookId" AS webhook_id, k.key AS order_key, 0 AS n
      FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k("webhookId" uuid, key uuid)`,
  )

/** Looks at the keys that come after this one. */
export const advanceHeadsAfter = (db: Database, { webhookId, key }: OrderingKey): Promise<Advance> =>
  advance(
    db,
    Prisma.sql`
      (SELECT webhook_id, order_key, 1 AS n FROM delivery
       WHERE (webhook_id, order_key) > (${webhookId}::uuid, ${key}::uuid) AND ${waitsInOrder}
       ORDER BY webhook_id, order_key LIMIT 1)
      UNION ALL
      SELECT next.*, k.n + 1 FROM ordering_key k CROSS JOIN LATERAL (
        SELECT webhook_id, order_key FROM delivery
        WHERE (webhook_id, order_key) > (k.webhook_id, k.order_key) AND ${waitsInOrder}
        ORDER BY webhook_id, order_key LIMIT 1
      ) next WHERE k.n < ${keysMax}::int`,
  )

const waitsInOrder = Prisma.sql`order_key IS NOT NULL AND status IN ('pending', 'retrying')`

/** What is read must be newer than the lock: hence two statements. */
const advance = (db: Database, keys: Prisma.Sql): Promise<Advance> =>
  db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(${headsLock}::bigint)`
    const [advanced] = await tx.$queryRaw<Advance[]>(headsStatement(keys))
    if (advanced === undefined) throw new Error('A statement about heads returned no row')
    return advanced
  })

/** `keys` selects ordering keys, numbered by `n`. */
export const headsStatement = (keys: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`
    WITH RECURSIVE ordering_key AS (${keys}),
    first AS MATERIALIZED (
      SELECT d.*, EXISTS (
        SELECT FROM outbox o WHERE o.workspace_id = d.workspace_id AND o.sequence < ceil(d.place)::bigint
      ) OR EXISTS (
        SELECT FROM outbox o WHERE o.workspace_id = d.workspace_id AND o.sequence IS NULL
      ) AS early
      FROM ordering_key k CROSS JOIN LATERAL (
        SELECT workspace_id, id, webhook_id, order_key, place, next_attempt_at FROM delivery
        WHERE webhook_id = k.webhook_id AND order_key = k.order_key AND ${waitsInOrder}
        ORDER BY place LIMIT 1
      ) d
      WHERE d.next_attempt_at IS NULL
        AND NOT EXISTS (
          SELECT FROM delivery t
          WHERE t.webhook_id = k.webhook_id AND t.order_key = k.order_key AND t.order_key IS NOT NULL
            AND t.next_attempt_at IS NOT NULL OFFSET 0
        )
        AND EXISTS (
          SELECT FROM webhook w WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id AND w.status = 'active' OFFSET 0
        )
    ),
    advanced AS (
      UPDATE delivery d SET next_attempt_at = now() FROM first f
      WHERE d.workspace_id = f.workspace_id AND d.id = f.id AND NOT f.early
        AND d.next_attempt_at IS NULL AND d.status IN ('pending', 'retrying')
      RETURNING d.webhook_id
    )
    SELECT
      (SELECT count(*)::int FROM ordering_key) AS looked,
      (SELECT jsonb_build_object('webhookId', webhook_id, 'key', order_key) FROM ordering_key ORDER BY n DESC LIMIT 1) AS last,
      (SELECT coalesce(jsonb_agg(DISTINCT webhook_id), '[]') FROM advanced) AS "webhookIds",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('webhookId', webhook_id, 'key', order_key)), '[]')
       FROM first WHERE early) AS early`

export type OrderingLoop = {
  /** A delivery with one of these keys was added, or has ended. */
  changed(keys: readonly OrderingKey[]): void
  close(): Promise<void>
}

const beforeAll: OrderingKey = {
  webhookId: '00000000-0000-0000-0000-000000000000',
  key: '00000000-0000-0000-0000-000000000000',
}
const roundMs = 1_000
/** An earlier event that is still to be fanned out is in the hands of another dispatcher, as a rule. */
const earlyMs = 20
/** Going round takes at most a tenth of the time, however many keys there are. */
const restPerWork = 9
/** Changed keys beyond these are found on the next round. */
const changedMax = 10_000

export function startOrdering(
  db: Database,
  onHead: (webhookId: string) => void,
  onError: (error: unknown) => void,
): OrderingLoop {
  const changedKeys = new Map<string, OrderingKey>()
  let [after, nextRoundAt] = [beforeAll, 0]

  function add(keys: readonly OrderingKey[]): void {
    for (const each of keys) if (changedKeys.size < changedMax) changedKeys.set(`${each.webhookId}:${each.key}`, each)
  }

  async function advanceOnce(): Promise<number> {
    const advanced = performance.now() < nextRoundAt ? await advanceChanged() : await goRound()
    advanced.webhookIds.forEach(onHead)
    const isOnlyEarly = changedKeys.size === 0 && advanced.early.length > 0
    add(advanced.early)
    if (changedKeys.size > 0) return isOnlyEarly ? earlyMs : 0
    return Math.max(0, nextRoundAt - performance.now())
  }

  function advanceChanged(): Promise<Advance> {
    const batch = [...changedKeys].slice(0, keysMax)
    batch.forEach(([name]) => changedKeys.delete(name))
    return advanceHeads(
      db,
      batch.map(([, key]) => key),
    )
  }

  async function goRound(): Promise<Advance> {
    const startedAt = performance.now()
    const advanced = await advanceHeadsAfter(db, after)
    const now = performance.now()
    const isOver = advanced.last === null || advanced.looked < keysMax
    after = isOver ? beforeAll : (advanced.last ?? beforeAll)
    nextRoundAt = now + (isOver ? roundMs : (now - startedAt) * restPerWork)
    return advanced
  }

  const advances = loop(advanceOnce, onError)
  function changed(keys: readonly OrderingKey[]): void {
    if (keys.length === 0) return
    add(keys)
    advances.wake()
  }
  return { changed, close: advances.close }
}
