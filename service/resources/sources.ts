// The sources of resources: each has its description, the scope that it needs, and the function that writes its text.
// The overview counts objects of each kind, in Markdown; the labels in use are there so that a caller chooses one of
// them instead of another spelling.
import { CustomFieldTarget, customFieldsPerTargetMax } from '#contract/custom-fields.ts'
import type { Resource } from '#contract/resources.ts'
import { covers, type Scope, type CollectionSegment } from '#contract/scopes.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db } from '../execution/call.ts'
import { findWorkspace } from '../workspaces/rows.ts'

export type Reader = {
  readonly db: Db
  readonly workspaceId: string
  readonly may: (scope: Scope) => boolean
}

export const readerOf = ({ db, workspaceId, principal }: Call): Reader => ({
  db,
  workspaceId,
  may: (scope) => covers(principal.scopes, scope),
})

type WrittenText = { readonly text: string; readonly updatedAt: Date | null }

export type Source = Omit<Resource, 'object' | 'size' | 'updatedAt'> & {
  /** The scope that reading it needs; null for none. */
  readonly scope: Scope | null
  readonly write: (reader: Reader) => Promise<WrittenText>
}

/** The time at which a row of these tables has last changed, or was deleted; null when there never was a row. */
async function newestChange({ db, workspaceId }: Reader, tables: readonly string[]): Promise<Date | null> {
  if (tables.length === 0) return null
  const each = tables.map(
    (table) =>
      Prisma.sql`SELECT max(updated_at) AS at FROM ${Prisma.raw(table)} WHERE workspace_id = ${workspaceId}::uuid`,
  )
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT max(at) AS at FROM (${Prisma.join(each, ' UNION ALL ')}) AS newest`
  return row?.at ?? null
}

const workspace = (id: string) => Prisma.sql`each.workspace_id = ${id}::uuid AND each.deleted_at IS NULL`

type Section = {
  readonly title: string
  readonly table: string
  readonly join?: Prisma.Sql
  readonly state: Prisma.Sql
}
type ShownSection = Section & { readonly kind: keyof typeof sections }

const status = Prisma.sql`each.status`

/** A collection without a section does not compile. */
const sections = {
  projects: { title: 'Projects by status', table: 'project', state: status },
  tasks: {
    title: 'Tasks by status',
    table: 'task',
    // Tasks of a deleted project are hidden until it is restored.
    join: Prisma.sql`JOIN project ON project.workspace_id = each.workspace_id
      AND project.id = each.project_id AND project.deleted_at IS NULL`,
    state: status,
  },
  'crm-entities': {
    title: 'CRM entities by kind, deals by stage',
    table: 'crm_entity',
    state: Prisma.sql`concat_ws(', ', each.kind, each.stage)`,
  },
  documents: { title: 'Documents by status', table: 'document', state: status },
  members: { title: 'Members by status', table: 'member', state: status },
} satisfies Record<CollectionSegment | 'members', Section>
const kinds = Object.keys(sections) as (keyof typeof sections)[]
type StateCount = { readonly kind: string; readonly state: string; readonly count: number }

export const overview: Source = {
  uri: 'workspace://overview',
  name: 'overview',
  title: 'Overview',
  description: 'Name, time zone and currency of the workspace, and how much of what there is in it.',
  mimeType: 'text/markdown',
  kind: 'overview',
  scope: null,
  write: async (reader) => {
    const { name, timeZone, defaultCurrency, updatedAt } = await findWorkspace(reader.db, reader.workspaceId)
    const shown = kinds
      .filter((kind) => reader.may(`${kind}:read`))
      .map((kind): ShownSection => ({ kind, ...sections[kind] }))
    const counts = await countAll(reader, shown)
    const newest = await newestChange(
      reader,
      shown.map(({ table }) => table),
    )
    const head = `# ${name}\n\nTime zone ${timeZone}, currency ${defaultCurrency}.\n`
    return {
      text: [head, ...shown.map((section) => written(section, counts))].join('\n'),
      updatedAt: new Date(Math.max(Date.parse(updatedAt), newest?.getTime() ?? 0)),
    }
  },
}

async function countAll({ db, workspaceId }: Reader, shown: readonly ShownSection[]): Promise<StateCount[]> {
  if (shown.length === 0) return []
  const each = shown.map(
    ({ kind, table, join = Prisma.empty, state }) =>
      Prisma.sql`SELECT ${kind} AS kind, ${state} AS state, count(*)::int AS count
        FROM ${Prisma.raw(table)} each ${join} WHERE ${workspace(workspaceId)} GROUP BY 2`,
  )
  return db.$queryRaw`SELECT * FROM (${Prisma.join(each, ' UNION ALL ')}) counted ORDER BY count DESC, state COLLATE "C"`
}

function written({ kind, title }: ShownSection, counts: readonly StateCount[]): string {
  const own = counts.filter((count) => count.kind === kind)
  const lines = own.map(({ state, count }) => `- ${state}: ${count}\n`)
  return `## ${title}\n\n${lines.length === 0 ? 'None.\n' : lines.join('')}`
}

const labelsMax = 200

const labelled = [
  { kind: 'projects', table: 'project' },
  { kind: 'tasks', table: 'task' },
  { kind: 'crm-entities', table: 'crm_entity' },
] as const
type Labelled = (typeof labelled)[number]
type Label = { readonly label: string; readonly count: number }

export const labels: Source = {
  uri: 'workspace://labels',
  name: 'labels',
  title: 'Labels',
  description: `Labels of projects, tasks and CRM entities with how often each is used; the ${labelsMax} most frequent.`,
  mimeType: 'application/json',
  kind: 'labels',
  scope: null,
  write: async (reader) => {
    const shown = labelled.filter(({ kind }) => reader.may(`${kind}:read`))
    const kinds = shown.map(({ kind }) => kind)
    return {
      text: JSON.stringify({ of: kinds, labels: await countLabels(reader, shown) }),
      updatedAt: await newestChange(
        reader,
        shown.map(({ table }) => table),
      ),
    }
  },
}

async function countLabels({ db, workspaceId }: Reader, shown: readonly Labelled[]): Promise<Label[]> {
  if (shown.length === 0) return []
  const each = shown.map(
    ({ table }) => Prisma.sql`SELECT unnest(labels) AS label FROM ${Prisma.raw(table)}
      WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL`,
  )
  return db.$queryRaw`
    SELECT label, count(*)::int AS count FROM (${Prisma.join(each, ' UNION ALL ')}) AS used
    GROUP BY label ORDER BY count DESC, label COLLATE name_order LIMIT ${labelsMax}`
}

const membersMax = 200

export const members: Source = {
  uri: 'workspace://members',
  name: 'members',
  title: 'Members',
  description: `Who belongs to the workspace, by name; the first ${membersMax} of them. Everybody: GET /members.`,
  mimeType: 'application/json',
  kind: 'members',
  scope: 'members:read',
  write: async (reader) => {
    const where = { workspaceId: reader.workspaceId, deletedAt: null }
    const rows = await reader.db.member.findMany({
      where,
      select: { id: true, name: true, email: true, role: true, status: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: membersMax,
    })
    const total = await reader.db.member.count({ where })
    return { text: JSON.stringify({ total, members: rows }), updatedAt: await newestChange(reader, ['member']) }
  },
}

export const customFields: Source = {
  uri: 'workspace://custom-fields',
  name: 'custom-fields',
  title: 'Custom fields',
  description: 'The keys that `customFields` of projects, tasks and CRM entities takes, with their types and options.',
  mimeType: 'application/json',
  kind: 'custom_fields',
  scope: 'workspaces:read',
  write: async (reader) => {
    const fields = await reader.db.customField.findMany({
      where: { workspaceId: reader.workspaceId, archivedAt: null },
      select: { target: true, key: true, label: true, type: true, options: true, required: true },
      orderBy: [{ target: 'asc' }, { key: 'asc' }],
      take: CustomFieldTarget.enum.length * customFieldsPerTargetMax,
    })
    return {
      text: JSON.stringify({ customFields: fields }),
      updatedAt: await newestChange(reader, ['custom_field']),
    }
  },
}
