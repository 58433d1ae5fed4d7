// Removes what a sandbox holds, deleted or not, with all that belongs to it. Quotas keep the number of rows small
// enough for one change (`sandboxObjectsMax`).
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'

/** Those that refer to others come first. What belongs to a row alone goes with it. */
const tables = ['comment', 'task', 'document', 'project', 'crm_entity', 'custom_field'] as const

const removeRows = command(
  (table: (typeof tables)[number], workspaceId: string) => Prisma.sql`
    DELETE FROM ${Prisma.raw(`"${table}"`)} WHERE workspace_id = ${workspaceId}::uuid`,
  [['task', '']],
)

/** Returns how many objects there were. */
export async function removeContent(db: Db, workspaceId: string): Promise<number> {
  let removed = 0
  for (const table of tables) removed += await removeRows(db, table, workspaceId)
  return removed
}
