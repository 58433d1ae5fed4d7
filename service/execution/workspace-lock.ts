// Changes of one workspace take turns: each holds the workspace's row from its first look to its commit. What it has
// checked then still holds when it writes, two changes never wait for each other in a circle, and `updatedAt` rises
// with every commit: whoever reads on from the last one that he saw misses nothing.
import type { Db } from './handler.ts'

export type Turn = {
  /** The time of the change, by the database's clock: later than any that was committed before. */
  readonly now: Date
  /** Whether the workspace has defined any: most have none, and need not be asked again. */
  readonly hasCustomFields: boolean
}

/**
 * Every value is one of the locked row: after waiting, those of other tables would still be as they were when the
 * statement began.
 */
export async function takeTurn(tx: Db, workspaceId: string): Promise<Turn> {
  const [turn] = await tx.$queryRaw<Turn[]>`
    SELECT greatest(date_trunc('milliseconds', clock_timestamp()), last_at + interval '1 millisecond') AS now,
      has_custom_fields AS "hasCustomFields"
    FROM event_sequence WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
  if (turn === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return turn
}
