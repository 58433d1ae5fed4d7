// Statements about workspaces that are deleted for good. Which tables hold something of a workspace is read from the
// catalogue of the database, so that none can be forgotten.
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'

/** A table, or a partition of one, with a column that names the workspace of a row. */
export type WorkspaceTable = {
  readonly name: string
  readonly column: string
  readonly type: string
  /** The table under whose name its rows are counted: of a partition, what it is a part of. */
  readonly countedAs: string
  /** Tables that its rows refer to, without itself. */
  readonly refersTo: readonly string[]
  /** Columns by which its rows refer to each other. */
  readonly ownColumns: readonly string[]
}

/** Any column that is called `workspace_id`, or `…_workspace_id`, names a workspace; so does the workspace's own id. */
export const workspaceTables = query(
  {
    name: column.text,
    column: column.text,
    type: column.text,
    countedAs: column.text,
    refersTo: column.text.list,
    ownColumns: column.text.list,
  },
  () => Prisma.sql`
    SELECT c.relname::text AS name, a.attname::text AS "column", format_type(a.atttypid, NULL) AS type,
      coalesce((SELECT p.relname FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent WHERE i.inhrelid = c.oid), c.relname)::text
        AS "countedAs",
      ARRAY(
        SELECT DISTINCT target.relname::text FROM pg_constraint f JOIN pg_class target ON target.oid = f.confrelid
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
      ) AS "refersTo",
      ARRAY(
        SELECT DISTINCT own.attname::text FROM pg_constraint f JOIN pg_attribute own
          ON own.attrelid = c.oid AND own.attnum = ANY (f.conkey) AND NOT own.attnotnull
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = c.oid
      ) AS "ownColumns"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND (a.attname ~ '(^|_)workspace_id$' OR (c.relname = 'workspace' AND a.attname = 'id'))
    ORDER BY 1, 2`,
)

type Removable = Pick<WorkspaceTable, 'name' | 'column' | 'type'>
const example: WorkspaceTable = {
  name: 'task',
  column: 'workspace_id',
  type: 'uuid',
  countedAs: 'task',
  refersTo: [],
  ownColumns: ['parent_task_id'],
}

/** Names come from the catalogue and from nowhere else. */
const named = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`)
const ofWorkspace = ({ column: name, type }: Removable, workspaceId: string): Prisma.Sql =>
  Prisma.sql`${named(name)} = ${workspaceId}::${Prisma.raw(type)}`

/** By the place of each row, which is found again without an index. Those of another workspace are never chosen. */
const batch = (table: Removable, workspaceId: string, max: number, more = Prisma.empty): Prisma.Sql => Prisma.sql`
  ${ofWorkspace(table, workspaceId)} AND ctid = ANY (ARRAY(
    SELECT ctid FROM ${named(table.name)} WHERE ${ofWorkspace(table, workspaceId)} ${more} LIMIT ${max}::int))`

export const anyRow = query(
  { found: column.bool },
  (table: Removable, workspaceId: string) => Prisma.sql`
    SELECT EXISTS (SELECT FROM ${named(table.name)} WHERE ${ofWorkspace(table, workspaceId)}) AS found`,
  [[example, '']],
)

export const deleteRows = command(
  (table: Removable, workspaceId: string, max: number) => Prisma.sql`
    DELETE FROM ${named(table.name)} WHERE ${batch(table, workspaceId, max)}`,
  [[example, '', 1]],
)

/** Rows that refer to each other could not go one batch after the other. */
export const clearOwnReferences = command(
  (table: WorkspaceTable, workspaceId: string, max: number) => {
    const columns = table.ownColumns.map(named)
    const isSet = Prisma.join(
      columns.map((each) => Prisma.sql`${each} IS NOT NULL`),
      ' OR ',
    )
    const cleared = Prisma.join(columns.map((each) => Prisma.sql`${each} = NULL`))
    return Prisma.sql`
      UPDATE ${named(table.name)} SET ${cleared} WHERE ${batch(table, workspaceId, max, Prisma.sql`AND (${isSet})`)}`
  },
  [[example, '', 1]],
)

/** Keys, of which gateways know: their ids. */
export const deleteKeys = query(
  { id: column.uuid },
  (workspaceId: string, max: number) => Prisma.sql`
    DELETE FROM api_key WHERE workspace_id = ${workspaceId}::uuid AND id IN (
      SELECT id FROM api_key WHERE workspace_id = ${workspaceId}::uuid LIMIT ${max}::int
    ) RETURNING id`,
)

export const deleteMembers = query(
  { accountId: column.uuid.orNull },
  (workspaceId: string, max: number) => Prisma.sql`
    DELETE FROM member WHERE workspace_id = ${workspaceId}::uuid AND id IN (
      SELECT id FROM member WHERE workspace_id = ${workspaceId}::uuid LIMIT ${max}::int
    ) RETURNING account_id AS "accountId"`,
)

/** Of these accounts, those of which no member is left, with their sessions and links. */
export const deleteStrandedAccounts = command(
  (ids: readonly string[]) => Prisma.sql`
    DELETE FROM account a WHERE id = ANY (${ids}::uuid[])
      AND NOT EXISTS (SELECT FROM member m WHERE m.account_id = a.id)`,
)

export const blobsOf = query(
  { id: column.uuid },
  (workspaceId: string, max: number) => Prisma.sql`
    SELECT id FROM file_blob WHERE workspace_id = ${workspaceId}::uuid LIMIT ${max}::int`,
)

export const forgetBlobs = command(
  (workspaceId: string, ids: readonly string[]) => Prisma.sql`
    DELETE FROM file_blob WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${ids}::uuid[])`,
)

/** The next workspace whose time is over, or whose removal has begun. */
export const nextRemoval = query(
  { id: column.uuid, isBegun: column.bool },
  () => Prisma.sql`
    SELECT d.id, d.started_at IS NOT NULL AS "isBegun" FROM workspace_deletion d
    WHERE d.removed_at IS NULL AND d.remove_after <= now()
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.workspace_id = d.id)
    ORDER BY d.remove_after LIMIT 1`,
)

/** Changes nothing where the deletion was taken back, or a hold was set meanwhile. */
export const beginRemoval = command(
  (id: string) => Prisma.sql`
    UPDATE workspace_deletion SET started_at = now()
    WHERE id = ${id}::uuid AND started_at IS NULL AND NOT EXISTS (SELECT FROM legal_hold WHERE workspace_id = ${id}::uuid)`,
)

/** Locks the record until the transaction ends. No row: another service has it, and goes on with the removal. */
export const lockRemoval = query(
  { id: column.uuid },
  (id: string) => Prisma.sql`
    SELECT id FROM workspace_deletion WHERE id = ${id}::uuid AND started_at IS NOT NULL AND removed_at IS NULL
    FOR UPDATE SKIP LOCKED`,
)

export const countRemoved = command(
  (id: string, table: string, count: number) => Prisma.sql`
    UPDATE workspace_deletion
    SET removed = removed || jsonb_build_object(${table}::text, coalesce((removed ->> ${table}::text)::bigint, 0) + ${count}::bigint)
    WHERE id = ${id}::uuid`,
)

/** Together with the row of the workspace itself. */
export const finishRemoval = command(
  (id: string) => Prisma.sql`UPDATE workspace_deletion SET removed_at = now() WHERE id = ${id}::uuid`,
)

/** Locks webhooks that are active, by their ids, the order in which all transactions lock. */
export const activeWebhooks = query(
  { id: column.uuid },
  (workspaceId: string) => Prisma.sql`
    SELECT id FROM webhook WHERE workspace_id = ${workspaceId}::uuid AND status = 'active' AND deleted_at IS NULL
    ORDER BY id FOR UPDATE`,
)

/** For the metrics. `overdueSeconds`: since when the oldest one should have been gone. */
export const deletionFigures = query(
  { scheduled: column.int, onHold: column.int, removing: column.int, overdueSeconds: column.float },
  () => Prisma.sql`
    SELECT (count(*) FILTER (WHERE NOT is_held AND started_at IS NULL))::int AS scheduled,
      (count(*) FILTER (WHERE is_held))::int AS "onHold",
      (count(*) FILTER (WHERE started_at IS NOT NULL))::int AS removing,
      coalesce(max(extract(epoch FROM now() - remove_after)) FILTER (WHERE NOT is_held AND remove_after < now()), 0)::float8
        AS "overdueSeconds"
    FROM (
      SELECT d.*, EXISTS (SELECT FROM legal_hold h WHERE h.workspace_id = d.id) AS is_held
      FROM workspace_deletion d WHERE d.removed_at IS NULL
    ) d`,
)
