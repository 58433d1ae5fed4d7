// The ids of a company's parent, the parent's parent and so on, nearest first; none for other kinds. What is below a merged
// company, and not moved yet, is below its survivor.
import type { CrmEntity } from '#contract/crm-entities.ts'
import type { Call } from '../execution/handler.ts'

/** The database lets the tree become no deeper. */
const depthMax = 20

export async function ancestorsOf(
  { kind, id }: CrmEntity,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<string[]> {
  if (kind !== 'company') return []
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE up (id, depth) AS (
      SELECT parent_company_id, 1 FROM crm_entity WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
      UNION ALL
      SELECT coalesce(e.merged_into_id, e.parent_company_id), depth + (e.merged_into_id IS NULL)::int FROM up
      JOIN crm_entity e ON e.workspace_id = ${workspaceId}::uuid AND e.id = up.id WHERE depth < ${depthMax}
    ) SELECT id FROM up WHERE id IS NOT NULL ORDER BY depth`
  return rows.map((row) => row.id)
}
