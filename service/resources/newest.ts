import { Prisma } from '#prisma/generated/client.ts'
import type { Reader } from './source.ts'

/** The time at which a row of these tables has last changed, or was deleted; null when there never was a row. */
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
