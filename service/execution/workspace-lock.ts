// The workspace lock: changes of one workspace are made one after the other. Each locks the workspace's row in
// `event_sequence` before it looks at anything, and holds it to its commit. What it has checked then still holds when
// it writes, two changes never wait for each other in a circle, and `updatedAt` rises with every commit: a reader who
// goes on from the last one that they saw misses nothing.
import type { Db, WorkspaceSnapshot } from './call.ts'
import { roomIn } from './quotas.ts'
import { lockWorkspace } from './rows.ts'

export async function acquireWorkspaceLock(tx: Db, workspaceId: string): Promise<WorkspaceSnapshot> {
  const [row] = await lockWorkspace(tx, workspaceId)
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  const { now, hasCustomFields } = row
  return { now, hasCustomFields, quotaRoom: roomIn(row) }
}
