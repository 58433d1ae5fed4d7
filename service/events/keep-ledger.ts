// Housekeeping of the ledger's partitions, by any of the services, one at a time: the next ones are added, and outdated
// ones leave. Calls and deliveries wait behind its locks, so it waits for none of them longer than a moment, and rather
// tries again.
import type { Database } from '#prisma/client.ts'
import { databaseErrorIn } from '#prisma/database-errors.ts'
import { backoffMs } from '#runtime/retry.ts'
import type { Db } from '../execution/handler.ts'
import { firstIdAt } from './id-times.ts'
import { dropOutdatedPartition, keptSince } from './outdated-partitions.ts'
import { addPartitions } from './partitions.ts'

const everyMs = 3_600_000
const tryAgain = { minMs: 2_000, maxMs: 600_000 }
/** Of tries in a row without the locks. Then it is told of. */
const patience = 10
/** Of advisory locks: any number that nobody else has. */
const ledgerLock = 7_239_002

/** For a loop. */
export function ledgerKeeper(db: Database, onError: (error: unknown) => void): () => Promise<number> {
  let failures = 0
  return async () => {
    try {
      await keepLedger(db, Date.now())
      failures = 0
      return everyMs
    } catch (error) {
      failures++
      if (!isLockedOut(error) || failures % patience === 0) onError(error)
      return backoffMs(failures, tryAgain)
    }
  }
}

/** The feed ends at what is kept before anything of it leaves: a reader who would skip events is told so. */
export async function keepLedger(db: Database, now: number): Promise<void> {
  await alone(db, (tx) => addPartitions(tx, now))
  await endFeeds(db, now)
  while (await alone(db, (tx) => dropOutdatedPartition(tx, now)));
}

/** Does nothing and returns false where another service is at it. */
const alone = (db: Database, work: (tx: Db) => Promise<boolean>): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const [turn] = await tx.$queryRaw<{ isOurs: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(${ledgerLock}::bigint) AS "isOurs", set_config('lock_timeout', '200ms', true)`
    return turn?.isOurs === true && (await work(tx))
  })

/** Each by itself: whoever changes a workspace waits for one row at most. */
async function endFeeds(db: Database, now: number): Promise<void> {
  const ended = await db.$queryRaw<{ workspaceId: string; sequence: bigint }[]>`
    SELECT s.workspace_id AS "workspaceId", last.sequence
    FROM event_sequence s CROSS JOIN LATERAL (
      SELECT sequence FROM event WHERE workspace_id = s.workspace_id AND id < ${firstIdAt(keptSince(now))}::uuid
      ORDER BY id DESC LIMIT 1
    ) last
    WHERE last.sequence > s.expired`
  for (const { workspaceId, sequence } of ended)
    await db.$executeRaw`
      UPDATE event_sequence SET expired = greatest(expired, ${sequence}) WHERE workspace_id = ${workspaceId}::uuid`
}

const isLockedOut = (error: unknown): boolean =>
  error instanceof Error && ['55P03', '40P01'].includes(databaseErrorIn(error).originalCode ?? '')
