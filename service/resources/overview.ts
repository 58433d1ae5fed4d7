// How many objects of each kind the workspace has, in Markdown.
import type { CollectionSegment } from '#contract/scopes.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { findWorkspace } from '../workspaces/rows.ts'
import { newestChange } from './newest.ts'
import type { Reader, Source } from './source.ts'

const workspace = (id: string) => Prisma.sql`each.workspace_id = ${id}::uuid AND each.deleted_at IS NULL`

type Section = {
  readonly title: string
  readonly table: string
  readonly join?: Prisma.Sql
  readonly state: Prisma.Sql
}
type Shown = Section & { readonly kind: keyof typeof sections }

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
type Count = { readonly kind: string; readonly state: string; readonly count: number }

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
    const shown = kinds.filter((kind) => reader.may(`${kind}:read`)).map((kind): Shown => ({ kind, ...sections[kind] }))
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

async function countAll({ db, workspaceId }: Reader, shown: readonly Shown[]): Promise<Count[]> {
  if (shown.length === 0) return []
  const each = shown.map(
    ({ kind, table, join = Prisma.empty, state }) =>
      Prisma.sql`SELECT ${kind} AS kind, ${state} AS state, count(*)::int AS count
        FROM ${Prisma.raw(table)} each ${join} WHERE ${workspace(workspaceId)} GROUP BY 2`,
  )
  return db.$queryRaw`SELECT * FROM (${Prisma.join(each, ' UNION ALL ')}) counted ORDER BY count DESC, state COLLATE "C"`
}

function written({ kind, title }: Shown, counts: readonly Count[]): string {
  const own = counts.filter((count) => count.kind === kind)
  const lines = own.map(({ state, count }) => `- ${state}: ${count}\n`)
  return `## ${title}\n\n${lines.length === 0 ? 'None.\n' : lines.join('')}`
}
