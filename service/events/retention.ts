// Events are kept for 30 days, with their deliveries and attempts, and leave with their partition (`keep-ledger.ts`). Here,
// one by one, those leave that no partition has taken along in its time: of a ledger that is older than its partitions,
// of the partition `default`, and of one that stays for a delivery that is still to be sent.
// One that is not fanned out yet, or that has a pending delivery, is kept until that has ended.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { acquireWorkspaceLock } from '../execution/workspace-lock.ts'
import { partitionDays } from './partitions.ts'
import { eventsKeptDays } from '#contract/events.ts'

const batchMax = 200

/** Workspace by workspace, in batches. Returns how many were deleted. */
export async function deleteOutdatedEvents(db: Database, max = batchMax): Promise<number> {
  let deleted = 0
  for (;;) {
    const [oldest] = await db.$queryRaw<{ workspaceId: string }[]>`
      SELECT e.workspace_id AS "workspaceId" FROM event e WHERE ${outdated} ORDER BY e.occurred_at LIMIT 1`
    if (oldest === undefined) return deleted
    const batch = await deleteBatch(db, oldest.workspaceId, max)
    // Another process has deleted them: the rest is left to it.
    if (batch === 0) return deleted
    deleted += batch
  }
}

// A replay takes the workspace lock, so no delivery of these events becomes pending again meanwhile. The sequence up to
// which events are deleted is written in the same transaction: a reader who would skip events is told so.
const deleteBatch = (db: Database, workspaceId: string, max: number): Promise<number> =>
  db.$transaction(async (tx) => {
    await acquireWorkspaceLock(tx, workspaceId)
    const [deleted] = await tx.$queryRaw<{ count: number; last: bigint | null }[]>`
      WITH batch AS (
        SELECT e.id FROM event e WHERE e.workspace_id = ${workspaceId}::uuid AND ${outdated}
        ORDER BY e.sequence LIMIT ${max}::int
      ), deleted AS (
        DELETE FROM event WHERE workspace_id = ${workspaceId}::uuid AND id IN (SELECT id FROM batch) RETURNING sequence
      )
      SELECT count(*)::int AS count, max(sequence) AS last FROM deleted`
    if (deleted === undefined || deleted.last === null) return 0
    await tx.$executeRaw`
      UPDATE event_sequence SET expired = greatest(expired, ${deleted.last}) WHERE workspace_id = ${workspaceId}::uuid`
    return deleted.count
  })

const outdated = Prisma.sql`e.occurred_at < now() - ${eventsKeptDays + partitionDays}::int * interval '1 day'
  AND NOT EXISTS (SELECT FROM outbox o WHERE o.workspace_id = e.workspace_id AND o.event_id = e.id)
  AND NOT EXISTS (
    SELECT FROM delivery d
    WHERE d.workspace_id = e.workspace_id AND d.event_id = e.id AND d.status IN ('pending', 'retrying')
  )`
