// The labels in use, so that a caller chooses one of them instead of another spelling.
import { Prisma } from '#prisma/generated/client.ts'
import { newestChange } from './newest.ts'
import type { Reader, Source } from './source.ts'

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
