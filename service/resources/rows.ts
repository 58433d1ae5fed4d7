// Statements of resources: over the tables of all that a workspace has.
import type { CollectionSegment } from '#contract/scopes.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'

/** A collection without a table does not compile. */
const tables = {
  projects: 'project',
  tasks: 'task',
  'crm-entities': 'crm_entity',
  documents: 'document',
  members: 'member',
  'custom-fields': 'custom_field',
} satisfies Record<CollectionSegment | 'members' | 'custom-fields', string>
export type Kind = keyof typeof tables
export type CountedKind = Exclude<Kind, 'custom-fields'>

const tableOf = (kind: Kind): Prisma.Sql => Prisma.raw(tables[kind])
const eachOf = <K>(kinds: readonly K[], select: (kind: K) => Prisma.Sql): Prisma.Sql =>
  Prisma.join(kinds.map(select), ' UNION ALL ')

/** The time at which a row of these kinds has last changed, or was deleted. */
export const newestIn = query(
  { at: column.time.orNull },
  (workspaceId: string, kinds: readonly Kind[]) => Prisma.sql`
    SELECT max(at) AS at FROM (${eachOf(
      kinds,
      (kind) =>
        Prisma.sql`SELECT max(updated_at) AS at FROM ${tableOf(kind)} WHERE workspace_id = ${workspaceId}::uuid`,
    )}) AS newest`,
  [['', ['tasks', 'custom-fields']]],
)

// Tasks of a deleted project are hidden until it is restored.
const inProject = Prisma.sql`JOIN project ON project.workspace_id = each.workspace_id
  AND project.id = each.project_id AND project.deleted_at IS NULL`
const stateOf = (kind: CountedKind): Prisma.Sql =>
  kind === 'crm-entities' ? Prisma.sql`concat_ws(', ', each.kind, each.stage)` : Prisma.sql`each.status`

/** How many there are of each kind, by status; of CRM entities by kind, and of deals by stage. */
export const countsByState = query(
  { kind: column.text, state: column.text, count: column.int },
  (workspaceId: string, kinds: readonly CountedKind[]) => Prisma.sql`
    SELECT * FROM (${eachOf(
      kinds,
      (kind) => Prisma.sql`SELECT ${kind}::text AS kind, ${stateOf(kind)} AS state, count(*)::int AS count
        FROM ${tableOf(kind)} each ${kind === 'tasks' ? inProject : Prisma.empty}
        WHERE each.workspace_id = ${workspaceId}::uuid AND each.deleted_at IS NULL GROUP BY 2`,
    )}) counted ORDER BY count DESC, state COLLATE "C"`,
  [['', ['projects', 'tasks', 'crm-entities', 'documents', 'members']]],
)
export type StateCount = Awaited<ReturnType<typeof countsByState>>[number]

export type LabelledKind = 'projects' | 'tasks' | 'crm-entities'

/** The labels in use, the most frequent first. */
export const countsByLabel = query(
  { label: column.text, count: column.int },
  (workspaceId: string, kinds: readonly LabelledKind[], max: number) => Prisma.sql`
    SELECT label, count(*)::int AS count FROM (${eachOf(
      kinds,
      (kind) => Prisma.sql`SELECT unnest(labels) AS label FROM ${tableOf(kind)}
        WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL`,
    )}) AS used
    GROUP BY label ORDER BY count DESC, label COLLATE name_order LIMIT ${max}`,
  [['', ['projects', 'tasks', 'crm-entities'], 1]],
)
