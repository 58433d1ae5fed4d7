// Maintenance of the ledger's partitions, by any of the services, one at a time: the next ones are added, and outdated
// ones leave. Calls and deliveries wait behind its locks, so it waits for none of them longer than a moment, and rather
// tries again. Events are kept for 30 days, with their deliveries and attempts, and leave with their partition. One by
// one, those are deleted that no partition has taken along in its time: of a ledger that is older than its partitions,
// of the partition `default`, and of one that stays for a delivery that is still to be sent. An event that is not
// fanned out yet, or that has a pending delivery, is kept until that has ended, and one of a workspace with a legal
// hold until that is released.
import type { Database } from '#prisma/client.ts'
import { databaseErrorIn } from '#prisma/database-errors.ts'
import { backoffMs } from '#runtime/retry.ts'
import type { Db } from '../execution/call.ts'
import { acquireWorkspaceLock } from '../execution/workspace-lock.ts'
import { firstIdAt, dropOutdatedPartition, keptSince, addPartitions, partitionDays } from './partitions.ts'
import { deleteEvents, endedFeeds, endFeed, oldestOutdated, takeTurn } from './rows.ts'

const everyMs = 3_600_000
const tryAgain = { minMs: 2_000, maxMs: 600_000 }
/** So many tries in a row without the locks are reported. */
const triesBeforeReport = 10
/** The advisory lock: any number that no other has. */
const maintenanceLock = 7_239_002

/** For a loop. */
export function partitionMaintenance(db: Database, onError: (error: unknown) => void): () => Promise<number> {
  let failures = 0
  return async () => {
    try {
      await maintainPartitions(db, Date.now())
      failures = 0
      return everyMs
    } catch (error) {
      failures++
      if (!isLockedOut(error) || failures % triesBeforeReport === 0) onError(error)
      return backoffMs(failures, tryAgain)
    }
  }
}

/** The feed ends at what is kept before anything of it leaves: a reader who would skip events is told so. */
export async function maintainPartitions(db: Database, now: number): Promise<void> {
  await alone(db, (tx) => addPartitions(tx, now))
  await endFeeds(db, now)
  while (await alone(db, (tx) => dropOutdatedPartition(tx, now)));
}

/** Does nothing and returns false where another service is at it. */
const alone = (db: Database, work: (tx: Db) => Promise<boolean>): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const [turn] = await takeTurn(tx, maintenanceLock)
    return turn?.isOurs === true && (await work(tx))
  })

/** Each by itself, so that a change of a workspace waits for one row at most. */
async function endFeeds(db: Database, now: number): Promise<void> {
  for (const { workspaceId, sequence } of await endedFeeds(db, firstIdAt(keptSince(now))))
    await endFeed(db, workspaceId, sequence)
}

const isLockedOut = (error: unknown): boolean =>
  error instanceof Error && ['55P03', '40P01'].includes(databaseErrorIn(error).originalCode ?? '')

const batchMax = 200

/** Workspace by workspace, in batches. Returns how many were deleted. */
export async function deleteOutdatedEvents(db: Database, max = batchMax): Promise<number> {
  let deleted = 0
  for (;;) {
    const [oldest] = await oldestOutdated(db, partitionDays)
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
    const [deleted] = await deleteEvents(tx, workspaceId, partitionDays, max)
    if (deleted === undefined || deleted.last === null) return 0
    await endFeed(tx, workspaceId, deleted.last)
    return deleted.count
  })
