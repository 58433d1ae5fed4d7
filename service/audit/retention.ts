// Audit entries are kept for a year. The newest of the outdated ones is kept as well: since it is outdated, so were all
// before it, which proves that nobody has deleted a younger one (`chain.ts`).
import type { Db } from '../execution/call.ts'

const entriesPerBatch = 1_000
const workspacesPerBatch = 20

/**
 * Oldest first, so that a chain never has a gap, and in batches. Returns how many were deleted. By the clock of the
 * database, whose trigger refuses to delete younger entries.
 */
export async function deleteOutdatedEntries(db: Db): Promise<number> {
  let deleted = 0
  for (let last = -1; last !== 0; deleted += last) last = await deleteBatch(db)
  return deleted
}

const deleteBatch = (db: Db): Promise<number> => db.$executeRaw`
  WITH chain AS (
    SELECT chain.workspace_id, oldest.number AS oldest, young.number AS young
    FROM audit_chain chain
    CROSS JOIN LATERAL (
      SELECT number FROM audit_entry WHERE workspace_id = chain.workspace_id ORDER BY number LIMIT 1
    ) oldest
    CROSS JOIN LATERAL (
      SELECT coalesce((
        SELECT number FROM audit_entry
        WHERE workspace_id = chain.workspace_id AND at >= now() - interval '1 year' ORDER BY number LIMIT 1
      ), chain.last_number + 1) AS number
    ) young
    WHERE oldest.number < young.number - 1
    LIMIT ${workspacesPerBatch}::int
  )
  DELETE FROM audit_entry USING chain
  WHERE audit_entry.workspace_id = chain.workspace_id AND number < chain.young - 1
    AND number < chain.oldest + ${entriesPerBatch}::int`
