// The workspace lock: changes of one workspace are made one after the other. Each locks the workspace's row in
// `event_sequence` before it looks at anything, and holds it to its commit. What it has checked then still holds when
// it writes, two changes never wait for each other in a circle, and `updatedAt` rises with every commit: whoever reads
// on from the last one that he saw misses nothing.
import type { Db } from './handler.ts'

/** The locked row. */
export type WorkspaceSnapshot = {
  /** The time of the change, by the database's clock: later than any that was committed before. */
  readonly now: Date
  /** Whether the workspace has defined any: most have none, and need not be asked again. */
  readonly hasCustomFields: boolean
}

/**
 * Waits until no other change of the workspace is under way. Every value is one of the locked row: after waiting, those
 * of other tables would still be as they were when the statement began.
 */
export async function acquireWorkspaceLock(tx: Db, workspaceId: string): Promise<WorkspaceSnapshot> {
  const [snapshot] = await tx.$queryRaw<WorkspaceSnapshot[]>`
    SELECT greatest(date_trunc('milliseconds', clock_timestamp()), last_at + interval '1 millisecond') AS now,
      has_custom_fields AS "hasCustomFields"
    FROM event_sequence WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
  if (snapshot === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return snapshot
}

/** For reads, and for changes outside of any workspace. Whether there are custom fields is then looked up. */
export const withoutLock = (): WorkspaceSnapshot => ({ now: new Date(), hasCustomFields: true })
