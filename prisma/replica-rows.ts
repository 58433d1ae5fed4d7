// What primary and replica say of themselves: which database each of them is, how far it is, and which change of a
// workspace is the last that it has. Asked without any right beyond those that reading the tables takes.
import { Prisma } from './generated/client.ts'
import { column, query } from './statements.ts'

/** Bytes of the log since its beginning, which fit a bigint for as long as a disk does. */
const bytes = (lsn: Prisma.Sql) => Prisma.sql`(${lsn} - '0/0'::pg_lsn)::bigint`

/** Each change of a workspace writes the row that is its lock: the transaction that did so last is compared. */
const lastChange = Prisma.sql`s.xmin::text || ' ' || s.last`

const identity = Prisma.sql`(SELECT i.identity FROM installation i WHERE i.id = 1)`

/** While a replica is promoted, or follows another primary, its time line is the first to tell. */
const cluster = Prisma.sql`
  (SELECT c.system_identifier::text FROM pg_control_system() c) || '/' ||
  (SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) FROM pg_control_checkpoint() c, pg_control_recovery() r)`

/** Of the primary. `written`: all that is committed is before that, and what is being written as well. */
export const lookAtPrimary = query(
  { identity: column.uuid.orNull, cluster: column.text, written: column.bigint },
  () => Prisma.sql`
    SELECT ${identity} AS identity, ${cluster} AS cluster, ${bytes(Prisma.sql`pg_current_wal_insert_lsn()`)} AS written`,
)

/** Of the replica. */
export const lookAtReplica = query(
  {
    isReplica: column.bool,
    identity: column.uuid.orNull,
    cluster: column.text,
    replayed: column.bigint.orNull,
  },
  () => Prisma.sql`
    SELECT pg_is_in_recovery() AS "isReplica", ${identity} AS identity, ${cluster} AS cluster,
      ${bytes(Prisma.sql`pg_last_wal_replay_lsn()`)} AS replayed`,
)

/** What a replica must have for a read of a workspace: all that is written, or the last change of the workspace. */
export const positionsOnPrimary = query(
  { workspaceId: column.uuid, change: column.text, written: column.bigint },
  (workspaceIds: readonly string[]) => Prisma.sql`
    SELECT s.workspace_id AS "workspaceId", ${lastChange} AS change,
      ${bytes(Prisma.sql`pg_current_wal_insert_lsn()`)} AS written
    FROM event_sequence s WHERE s.workspace_id = ANY (${workspaceIds}::uuid[])`,
)

/** What the replica has of it, whichever of several replicas this connection leads to. */
export const positionOnReplica = query(
  {
    isReplica: column.bool,
    identity: column.uuid.orNull,
    replayed: column.bigint.orNull,
    change: column.text.orNull,
  },
  (workspaceId: string) => Prisma.sql`
    SELECT pg_is_in_recovery() AS "isReplica", ${identity} AS identity,
      ${bytes(Prisma.sql`pg_last_wal_replay_lsn()`)} AS replayed,
      (SELECT ${lastChange} FROM event_sequence s WHERE s.workspace_id = ${workspaceId}::uuid) AS change`,
)
