// The workspace lock: changes of one workspace are made one after the other. Each locks the workspace's row in
// `event_sequence` before it looks at anything, and holds it to its commit. What it has checked then still holds when
// it writes, two changes never wait for each other in a circle, and `updatedAt` rises with every commit: a reader who
// goes on from the last one that they saw misses nothing.
import type { Db, WorkspaceSnapshot } from './call.ts'
import { quotaColumns, roomIn, type QuotaRow } from './quotas.ts'

/**
 * Waits until no other change of the workspace is under way. Every value but what the operator has set is one of the
 * locked row: after waiting, those of other tables would still be as they were when the statement began.
 */
export async function acquireWorkspaceLock(tx: Db, workspaceId: string): Promise<WorkspaceSnapshot> {
  const [row] = await tx.$queryRaw<(Omit<WorkspaceSnapshot, 'quotaRoom'> & QuotaRow)[]>`
    SELECT greatest(date_trunc('milliseconds', clock_timestamp()), last_at + interval '1 millisecond') AS now,
      has_custom_fields AS "hasCustomFields", ${quotaColumns}
    FROM event_sequence s WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  const { now, hasCustomFields } = row
  return { now, hasCustomFields, quotaRoom: roomIn(row) }
}
