// Statements that read of a collection what has the same columns whatever is asked: ids, counts, and related objects.
import { countedGroupsMax } from '#contract/collection/operations.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query, type Columns, type RowOf } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import type { Group } from './definition.ts'

/** The ids that a statement selects. */
export const idsOf = query({ id: column.uuid }, (ids: Prisma.Sql) => ids, [[Prisma.sql`SELECT id FROM task`]])

/** `from` is over the table `t`, of which the conditions are. */
export type Matching = { readonly from: Prisma.Sql; readonly conditions: readonly Prisma.Sql[] }
const anyTask: Matching = { from: Prisma.sql`task t`, conditions: [Prisma.sql`TRUE`] }

export const countMatching = query(
  { total: column.bigint },
  ({ from, conditions }: Matching) =>
    Prisma.sql`SELECT count(*) AS total FROM ${from} WHERE ${Prisma.join([...conditions], ' AND ')}`,
  [[anyTask]],
)

/** What is added up: SQL over `t`, null where there is nothing to add. */
export type Summed = { readonly number: Prisma.Sql; readonly currency: Prisma.Sql }
const amounts: Summed = { number: Prisma.sql`1::numeric`, currency: Prisma.sql`'EUR'::text` }

/** One row for each currency, and one for all that has no number. */
export const sumMatching = query(
  { currency: column.text.orNull, sum: column.text.orNull, count: column.bigint },
  ({ from, conditions }: Matching, { number, currency }: Summed) => Prisma.sql`
    SELECT ${currency} AS currency, sum(${number})::text AS sum, count(*) AS count
    FROM ${from} WHERE ${Prisma.join([...conditions], ' AND ')} GROUP BY 1 ORDER BY 1`,
  [[anyTask, amounts]],
)

const grouped: Group = { value: Prisma.sql`t.status::text`, join: Prisma.empty }

/** The largest groups by one value, or by two; `groups` is how many there are. */
export const countGroups = query(
  {
    value: column.text.orNull,
    second: column.text.orNull,
    count: column.bigint,
    sums: column.json.orNull,
    groups: column.bigint,
  },
  ({ from, conditions }: Matching, [first, second]: readonly Group[], summed: Summed | undefined) => {
    const { number, currency } = summed ?? { number: Prisma.sql`NULL::numeric`, currency: Prisma.sql`NULL::text` }
    // The window function runs before LIMIT: it counts all groups.
    return Prisma.sql`
      SELECT value, second, sum(rows)::bigint AS count, count(*) OVER () AS groups,
        jsonb_agg(jsonb_build_object('currency', currency, 'sum', added::text) ORDER BY currency) AS sums
      FROM (
        SELECT ${first?.value ?? Prisma.sql`NULL::text`} AS value, ${second?.value ?? Prisma.sql`NULL::text`} AS second,
          ${currency} AS currency, count(*) AS rows, sum(${number}) AS added
        FROM ${from} ${first?.join ?? Prisma.empty} ${second?.join ?? Prisma.empty}
        WHERE ${Prisma.join([...conditions], ' AND ')} GROUP BY 1, 2, 3
      ) counted
      GROUP BY value, second ORDER BY count DESC, value COLLATE "C", second COLLATE "C" LIMIT ${countedGroupsMax}`
  },
  [
    [anyTask, [grouped], undefined],
    [anyTask, [grouped, grouped], amounts],
  ],
)

type ReadRelated<R> = (db: Db, workspaceId: string, ids: readonly string[]) => Promise<R[]>

/** `select` is over the table `r`. Deleted objects are left out. */
const related = <C extends Columns>(columns: C, select: Prisma.Sql): ReadRelated<RowOf<C>> =>
  query(
    columns,
    (workspaceId: string, ids: readonly string[]) => Prisma.sql`${select}
      WHERE r.workspace_id = ${workspaceId}::uuid AND r.id = ANY(${ids}::uuid[]) AND r.deleted_at IS NULL`,
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
export const relatedTasks = related(
  { id, object, identifier: column.text, title: column.text, status: column.text },
  Prisma.sql`SELECT r.id, 'task' AS object, r.identifier, r.title, r.status
    FROM task r JOIN project p ON p.workspace_id = r.workspace_id AND p.id = r.project_id AND p.deleted_at IS NULL`,
)
