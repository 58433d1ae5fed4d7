import { Prisma } from '#prisma/generated/client.ts'
import type { Reader } from './source.ts'

/** When a row of these tables has last changed, deletions included; null where there never was one. */
export async function newestChange({ db, workspaceId }: Reader, tables: readonly string[]): Promise<Date | null> {
  if (tables.length === 0) return null
  const each = tables.map(
    (table) =>
      Prisma.sql`SELECT max(updated_at) AS at FROM ${Prisma.raw(table)} WHERE workspace_id = ${workspaceId}::uuid`,
  )
  const [row] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT max(at) AS at FROM (${Prisma.join(each, ' UNION ALL ')}) AS newest`
  return row?.at ?? null
}
