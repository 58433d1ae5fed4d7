// What there is in the workspace, counted, in Markdown.
import { Prisma } from '#prisma/generated/client.ts'
import { findWorkspace } from '../workspaces/rows.ts'
import { newestChange } from './newest.ts'
import type { Reader, Source } from './source.ts'

const workspace = (id: string) => Prisma.sql`each.workspace_id = ${id}::uuid AND each.deleted_at IS NULL`

/** Tasks go and come back with their project. */
const sections = [
  { kind: 'projects', title: 'Projects by status', from: Prisma.sql`project each`, state: Prisma.sql`each.status` },
  {
    kind: 'tasks',
    title: 'Tasks by status',
    from: Prisma.sql`task each JOIN project ON project.workspace_id = each.workspace_id
      AND project.id = each.project_id AND project.deleted_at IS NULL`,
    state: Prisma.sql`each.status`,
  },
  {
    kind: 'crm-entities',
    title: 'CRM entities by kind, deals by stage',
    from: Prisma.sql`crm_entity each`,
    state: Prisma.sql`concat_ws(', ', each.kind, each.stage)`,
  },
  { kind: 'documents', title: 'Documents by status', from: Prisma.sql`document each`, state: Prisma.sql`each.status` },
  { kind: 'members', title: 'Members by status', from: Prisma.sql`member each`, state: Prisma.sql`each.status` },
] as const
type Section = (typeof sections)[number]
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
    const shown = sections.filter(({ kind }) => reader.may(`${kind}:read`))
    const counts = await countAll(reader, shown)
    const kinds = shown.map(({ kind }) => kind)
    const newest = await newestChange(reader, kinds)
    const head = `# ${name}\n\nTime zone ${timeZone}, currency ${defaultCurrency}.\n`
    return {
      text: [head, ...shown.map((section) => written(section, counts))].join('\n'),
      updatedAt: new Date(Math.max(Date.parse(updatedAt), newest?.getTime() ?? 0)),
    }
  },
}

async function countAll({ db, workspaceId }: Reader, shown: readonly Section[]): Promise<Count[]> {
  if (shown.length === 0) return []
  const each = shown.map(
    ({ kind, from, state }) =>
      Prisma.sql`SELECT ${kind} AS kind, ${state} AS state, count(*)::int AS count
        FROM ${from} WHERE ${workspace(workspaceId)} GROUP BY 2`,
  )
  return db.$queryRaw`${Prisma.join(each, ' UNION ALL ')} ORDER BY count DESC, state`
}

function written({ kind, title }: Section, counts: readonly Count[]): string {
  const own = counts.filter((count) => count.kind === kind)
  const lines = own.map(({ state, count }) => `- ${state}: ${count}\n`)
  return `## ${title}\n\n${lines.length === 0 ? 'None.\n' : lines.join('')}`
}
