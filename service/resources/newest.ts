import { Prisma } from '#prisma/generated/client.ts'
import type { Reader } from './source.ts'

const tables = {
  projects: 'project',
  tasks: 'task',
  'crm-entities': 'crm_entity',
  documents: 'document',
  members: 'member',
  'custom-fields': 'custom_field',
} as const
type Kind = keyof typeof tables

/** When any of these has last changed, deletions included; null where there never was one. */
export async function newestChange({ db, workspaceId }: Reader, kinds: readonly Kind[]): Promise<Date | null> {
  if (kinds.length === 0) return null
  const each = kinds.map(
    (kind) =>
      Prisma.sql`SELECT max(updated_at) AS at FROM ${Prisma.raw(tables[kind])} WHERE workspace_id = ${workspaceId}::uuid`,
  )
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT max(at) AS at FROM (${Prisma.join(each, ' UNION ALL ')}) AS newest`
  return row?.at ?? null
}
