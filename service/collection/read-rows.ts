// Statements that read of a collection what has the same columns whatever is asked: ids, and related objects.
import { Prisma } from '#prisma/generated/client.ts'
import { column, query, type Columns, type RowOf } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'

/** The ids that a statement selects. */
export const idsOf = query({ id: column.uuid }, (ids: Prisma.Sql) => ids, [[Prisma.sql`SELECT id FROM task`]])

type ReadRelated<R> = (db: Db, workspaceId: string, ids: readonly string[]) => Promise<R[]>

/** `select` is over the table `r`. Deleted objects are left out. */
const related = <C extends Columns>(columns: C, select: Prisma.Sql): ReadRelated<RowOf<C>> =>
  query(
    columns,
    (workspaceId: string, ids: readonly string[]) => Prisma.sql`${select}
      WHERE r.workspace_id = ${workspaceId}::uuid AND r.id = ANY(${ids}::uuid[]) AND r.deleted_at IS NULL`,
  )

type OwnId = { readonly name: string; readonly source: string; readonly externalId: string }

/**
 * The ids of objects, also deleted ones, by the ids that they have elsewhere. Each is looked up by itself: how many
 * rows there are, the planner does not know during an import.
 */
export const ownIdsNamed = query(
  { name: column.text, id: column.uuid },
  (table: string, workspaceId: string, ownIds: readonly OwnId[]) => Prisma.sql`
    SELECT given.name, e.object_id AS id
    FROM unnest(${ownIds.map(({ name }) => name)}::text[], ${ownIds.map(({ source }) => source)}::text[],
      ${ownIds.map(({ externalId }) => externalId)}::text[]) AS given (name, source, external_id)
    CROSS JOIN LATERAL (
      SELECT object_id FROM external_id WHERE workspace_id = ${workspaceId}::uuid AND object = ${table}
        AND source = given.source AND external_id = given.external_id LIMIT 1
    ) e`,
  [['task', '', []]],
)

const id = column.uuid
const object = column.text
export const relatedMembers = related(
  { id, object, name: column.text, email: column.text },
  Prisma.sql`SELECT r.id, 'member' AS object, r.name, r.email FROM member r`,
)
export const relatedProjects = related(
  { id, object, key: column.text, name: column.text, status: column.text },
  Prisma.sql`SELECT r.id, 'project' AS object, r.key, r.name, r.status FROM project r`,
)
export const relatedCrmEntities = related(
  { id, object, kind: column.text, name: column.text },
  Prisma.sql`SELECT r.id, 'crm_entity' AS object, r.kind, r.name FROM crm_entity r`,
)
export const relatedFiles = related(
  { id, object, name: column.text, type: column.text, bytes: column.float, status: column.text },
  Prisma.sql`SELECT r.id, 'file' AS object, r.name, r.type, r.bytes::float8 AS bytes, r.status FROM file r`,
)
export const relatedTasks = related(
  { id, object, identifier: column.text, title: column.text, status: column.text },
  Prisma.sql`SELECT r.id, 'task' AS object, r.identifier, r.title, r.status
    FROM task r JOIN project p ON p.workspace_id = r.workspace_id AND p.id = r.project_id AND p.deleted_at IS NULL`,
)
