// The companies that one lies below, nearest first.
import type { CrmEntity } from '#contract/crm-kinds.ts'
import type { Call } from '../execution/handler.ts'

/** As deep as the database lets the tree become. */
const depthMax = 20

export async function companiesAbove(
  { kind, id }: CrmEntity,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<string[]> {
  if (kind !== 'company') return []
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE up (id, depth) AS (
      SELECT parent_company_id, 1 FROM crm_entity WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
      UNION ALL
      SELECT e.parent_company_id, depth + 1 FROM up
      JOIN crm_entity e ON e.workspace_id = ${workspaceId}::uuid AND e.id = up.id WHERE depth < ${depthMax}
    ) SELECT id FROM up WHERE id IS NOT NULL ORDER BY depth`
  return rows.map((row) => row.id)
}
