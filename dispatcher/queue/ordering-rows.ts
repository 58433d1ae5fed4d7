// The statements that advance heads (ordering.ts says what they are).
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'

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

export const advanceHeads = (db: Database, keys: readonly OrderingKey[]): Promise<Advance> => advance(db, given(keys))

const given = (keys: readonly OrderingKey[]): Prisma.Sql =>
  Prisma.sql`
    SELECT k."webhookId" AS webhook_id, k.key AS order_key, 0 AS n
    FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k("webhookId" uuid, key uuid)`

/** Looks at the keys that come after this one. */
export const advanceHeadsAfter = (db: Database, key: OrderingKey): Promise<Advance> => advance(db, following(key))

const following = ({ webhookId, key }: OrderingKey): Prisma.Sql =>
  Prisma.sql`
    (SELECT webhook_id, order_key, 1 AS n FROM delivery
     WHERE (webhook_id, order_key) > (${webhookId}::uuid, ${key}::uuid) AND ${waitsInOrder}
     ORDER BY webhook_id, order_key LIMIT 1)
    UNION ALL
    SELECT next.*, k.n + 1 FROM ordering_key k CROSS JOIN LATERAL (
      SELECT webhook_id, order_key FROM delivery
      WHERE (webhook_id, order_key) > (k.webhook_id, k.order_key) AND ${waitsInOrder}
      ORDER BY webhook_id, order_key LIMIT 1
    ) next WHERE k.n < ${keysMax}::int`

const waitsInOrder = Prisma.sql`order_key IS NOT NULL AND status IN ('pending', 'retrying')`

/** Two statements, because the second must see all that was committed before the lock was taken. */
const advance = (db: Database, keys: Prisma.Sql): Promise<Advance> =>
  db.$transaction(async (tx) => {
    await lockHeads(tx)
    const [advanced] = await advanceFirst(tx, keys)
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

const lockHeads = command(() => Prisma.sql`SELECT 1 FROM pg_advisory_xact_lock(${headsLock}::bigint)`)

export const noKey: OrderingKey = {
  webhookId: '00000000-0000-0000-0000-000000000000',
  key: '00000000-0000-0000-0000-000000000000',
}
const advanceFirst = query(
  {
    looked: column.int,
    last: column.json.of<OrderingKey | null>().orNull,
    webhookIds: column.json.of<readonly string[]>(),
    early: column.json.of<readonly OrderingKey[]>(),
  },
  headsStatement,
  [[given([])], [following(noKey)]],
)
