// The statements about changed deliveries. Where a reader stands is a snapshot of the database: it has all changes that
// are visible in it. So none is missed and none is read twice, in whichever order transactions end, and no lock is held.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/handler.ts'

const deleteOldChanges = command(
  () => Prisma.sql`
    DELETE FROM delivery_change WHERE changed_at < now() - 2 * ${changesKeptMinutes}::int * interval '1 minute'`,
)

const deleteOldWatches = command(() => Prisma.sql`DELETE FROM delivery_watch WHERE until < now() - interval '1 hour'`)

/** For the service's background work: what nobody can go on from any more. */
export const deleteOutdatedChanges = async (db: Database): Promise<void> => {
  await deleteOldChanges(db)
  await deleteOldWatches(db)
}

/** For how long a reader who was away can go on where he stood. */
export const changesKeptMinutes = 5
/** A watch that is about to end may have ended for a transaction that is under way. */
const marginSeconds = 60

/** `at`: when the snapshot was taken, in milliseconds since 1970 by the clock of the database. */
export type ChangePosition = { readonly snapshot: string; readonly at: number }
/** What is not in `from`, and up to `to`, after a row of it. */
export type ChangeSpan = { readonly from: string; readonly to: string | null; readonly after: ChangeRow | null }
type ChangeRow = { readonly transaction: bigint; readonly deliveryId: string }

/** Begins a watch, or prolongs it. */
export const keepWatching = command(
  (workspaceId: string) => Prisma.sql`
    INSERT INTO delivery_watch AS w (workspace_id, since, until)
    VALUES (${workspaceId}::uuid, now(), now() + ${changesKeptMinutes}::int * interval '1 minute')
    ON CONFLICT (workspace_id) DO UPDATE SET
      since = CASE WHEN w.until > now() + ${marginSeconds}::int * interval '1 second' THEN w.since ELSE now() END,
      until = excluded.until`,
)

const readChanged = query(
  { snapshot: column.text, changed: column.text.list },
  (workspaceIds: readonly string[], seen: string | null) => Prisma.sql`
    SELECT pg_current_snapshot()::text AS snapshot, coalesce((
      SELECT array_agg(DISTINCT c.workspace_id::text) FROM delivery_change c
      WHERE c.workspace_id = ANY (${workspaceIds}::uuid[]) AND ${isNotIn(seen ?? '1:1:')}
    ), '{}') AS changed`,
)

/** Which workspaces have changes that are not in the snapshot; without one, in any that are kept. */
export async function newChanges(
  db: Database,
  workspaceIds: readonly string[],
  seen: string | null,
): Promise<{ readonly snapshot: string; readonly changed: readonly string[] }> {
  const [found] = await readChanged(db, workspaceIds, seen)
  if (found === undefined) throw new Error('A statement without a table gave no row')
  return found
}

const readPosition = query(
  { snapshot: column.text, at: column.float, oldest: column.bigint, next: column.bigint },
  () => Prisma.sql`
    SELECT s.snapshot::text AS snapshot, extract(epoch FROM now())::float8 * 1000 AS at,
           pg_snapshot_xmin(s.snapshot)::text::bigint AS oldest, pg_snapshot_xmax(s.snapshot)::text::bigint AS next
    FROM (SELECT pg_current_snapshot() AS snapshot) s`,
)

/** `oldest`: of the transactions that are under way. `next`: no transaction has this number yet. */
export async function positionNow(
  db: Db,
): Promise<ChangePosition & { readonly oldest: bigint; readonly next: bigint }> {
  const [found] = await readPosition(db)
  if (found === undefined) throw new Error('A statement without a table gave no row')
  return found
}

const isKeptSince = query(
  { kept: column.bool },
  (workspaceId: string, { snapshot, at }: ChangePosition) => Prisma.sql`
    SELECT w.since <= t.at AND t.at > now() - ${changesKeptMinutes}::int * interval '1 minute'
       AND pg_snapshot_xmax(${snapshot}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) AS kept
    FROM delivery_watch w CROSS JOIN (SELECT to_timestamp(${at}::float8 / 1000) AS at) t
    WHERE w.workspace_id = ${workspaceId}::uuid`,
)

/** Whether every change since this position is still written down. */
export async function isKept(db: Db, workspaceId: string, position: ChangePosition): Promise<boolean> {
  const [found] = await isKeptSince(db, workspaceId, position)
  return found?.kept === true
}

export type DeliveryChanges = {
  readonly rows: readonly ChangeRow[]
  /** With this statement's own snapshot, or the end of the span that was asked for. */
  readonly to: ChangePosition
}

const readChanges = query(
  { snapshot: column.text, at: column.float, transaction: column.bigint.orNull, deliveryId: column.uuid.orNull },
  (workspaceId: string, { from, to, after }: ChangeSpan, max: number) => Prisma.sql`
    SELECT s.snapshot, s.at, c.transaction, c.delivery_id AS "deliveryId"
    FROM (SELECT pg_current_snapshot()::text AS snapshot, extract(epoch FROM now())::float8 * 1000 AS at) s
    LEFT JOIN LATERAL (
      SELECT c.transaction, c.delivery_id FROM delivery_change c
      WHERE c.workspace_id = ${workspaceId}::uuid AND ${isNotIn(from)} ${to === null ? Prisma.empty : upTo(to)}
        AND (c.transaction, c.delivery_id) > (${after?.transaction ?? 0n}::bigint, ${after?.deliveryId ?? firstId}::uuid)
      ORDER BY c.transaction, c.delivery_id LIMIT ${max}::int
    ) c ON true
    ORDER BY c.transaction, c.delivery_id`,
)

/** In the order of transactions; at most `max`. */
export async function changesIn(db: Db, workspaceId: string, span: ChangeSpan, max: number): Promise<DeliveryChanges> {
  const found = await readChanges(db, workspaceId, span, max)
  const [first] = found
  if (first === undefined) throw new Error('A statement without a table gave no row')
  const rows = found.flatMap(({ transaction, deliveryId }) =>
    transaction === null || deliveryId === null ? [] : [{ transaction, deliveryId }],
  )
  return { rows, to: { snapshot: span.to ?? first.snapshot, at: first.at } }
}

const firstId = '00000000-0000-0000-0000-000000000000'

const isNotIn = (snapshot: string): Prisma.Sql =>
  Prisma.sql`c.transaction >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
    AND NOT pg_visible_in_snapshot(c.transaction::text::xid8, ${snapshot}::pg_snapshot)`

const upTo = (snapshot: string): Prisma.Sql =>
  Prisma.sql`AND pg_visible_in_snapshot(c.transaction::text::xid8, ${snapshot}::pg_snapshot)`
