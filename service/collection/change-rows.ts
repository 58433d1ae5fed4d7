// Statements of changes whose columns every collection has: the steps of a batch, versions, marks and references.
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Reference, Resource } from './definition.ts'

/** A savepoint for each item of a batch: an item that is refused is rolled back alone. */
export const beginItem = command(() => Prisma.sql`SAVEPOINT item`)
export const keepItem = command(() => Prisma.sql`RELEASE SAVEPOINT item`)
export const undoItem = command(() => Prisma.sql`ROLLBACK TO SAVEPOINT item`)

type RowId = Pick<Resource, 'workspaceId' | 'id'>
const anyRow: RowId = { workspaceId: '', id: '' }

export type ChangedVersion = RowId & Pick<Resource, 'updatedAt' | 'updatedBy'>

/** Writes version, time and author of objects of one workspace that one call has changed: at least one. */
export const raiseVersions = command(
  (table: string, changed: readonly ChangedVersion[]) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} t
    SET version = t.version + 1, updated_at = given.at, updated_by = ${JSON.stringify(changed[0]?.updatedBy)}::jsonb
    FROM unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ updatedAt }) => updatedAt)}::timestamptz[])
      AS given (id, at)
    WHERE t.workspace_id = ${changed[0]?.workspaceId}::uuid AND t.id = given.id`,
  [['task', []]],
)

/** Changes nothing where the object is purged already. */
export const markPurged = command(
  (table: string, { workspaceId, id }: RowId, now: Date) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET purged_at = ${now}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND purged_at IS NULL`,
  [['task', anyRow, new Date(0)]],
)

export const clearExternalIds = command(
  (table: string, { workspaceId, id }: RowId) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET external_source = NULL, external_id = NULL, other_external_ids = '[]'
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`,
  [['task', anyRow]],
)

export type NamedIds = { readonly reference: Reference; readonly ids: readonly string[] }

/** Of the ids that fields name, those of which no object is shown, each looked up by itself. At least one field. */
export const missingReferences = query(
  { field: column.text, id: column.text },
  (named: readonly NamedIds[], workspaceId: string) =>
    Prisma.join(
      named.map(
        ({ reference: { field, table, condition = 'TRUE' }, ids }) => Prisma.sql`
          SELECT ${field}::text AS field, given.id::text AS id FROM unnest(${[...ids]}::uuid[]) AS given (id)
          WHERE (SELECT 1 FROM ${Prisma.raw(table)} r WHERE r.workspace_id = ${workspaceId}::uuid
            AND r.id = given.id AND r.deleted_at IS NULL AND ${Prisma.raw(condition)} LIMIT 1) IS NULL`,
      ),
      ' UNION ALL ',
    ),
  [[[{ reference: { field: 'projectId', table: 'project' }, ids: [] }], '']],
)
