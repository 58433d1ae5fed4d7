// Changes of one workspace take turns: each holds the workspace's row from its first look to its commit. What it has
// checked then still holds when it writes, two changes never wait for each other in a circle, and `updatedAt` rises
// with every commit: whoever reads on from the last one that he saw misses nothing.
import type { Db } from './handler.ts'

/** Waits for the turn. The time of the change, by the database's clock: later than any that was committed before. */
export async function takeTurn(tx: Db, workspaceId: string): Promise<Date> {
  const [turn] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT greatest(date_trunc('milliseconds', clock_timestamp()), last_at + interval '1 millisecond') AS now
    FROM event_sequence WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
  if (turn === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return turn.now
}
