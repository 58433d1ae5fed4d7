// Statements about changed deliveries. The position of a reader is a snapshot of the database: the reader has all
// changes that are visible in it. So none is missed or read twice, in whichever order transactions end, and no lock is
// held.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'

/** A reader who was away for no longer can resume at its position. */
const changesKeptMinutes = 5
/** A watch this close to its end may have ended for a transaction that is under way. */
const marginSeconds = 60

/** `at` is the time of the snapshot in milliseconds since 1970, by the clock of the database. */
export type ChangePosition = { readonly snapshot: string; readonly at: number }
/** The changes that are not in `from`, are in `to`, and follow the row `after`. */
export type ChangeSpan = { readonly from: string; readonly to: string | null; readonly after: ChangeRow | null }
type ChangeRow = { readonly transaction: bigint; readonly deliveryId: string }

/** Starts or renews the watch of a workspace. */
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

/** The workspaces with changes that are not in the snapshot; without a snapshot, with any changes. */
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

/** `oldest` is the oldest running transaction, `next` the number of the next one. */
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
  /** The snapshot of this statement, or the end of the span. */
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

/** Returns at most `max` changes, in the order of transactions. */
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

const deleteOldChanges = command(
  () => Prisma.sql`
    DELETE FROM delivery_change WHERE changed_at < now() - 2 * ${changesKeptMinutes}::int * interval '1 minute'`,
)

const deleteOldWatches = command(() => Prisma.sql`DELETE FROM delivery_watch WHERE until < now() - interval '1 hour'`)

/** Deletes changes that no reader can resume from any more. */
export const deleteOutdatedChanges = async (db: Database): Promise<void> => {
  await deleteOldChanges(db)
  await deleteOldWatches(db)
}
