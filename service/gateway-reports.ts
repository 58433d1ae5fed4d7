// Reports of gateways are counted once. A gateway that got no answer sends its report again and cannot know whether the
// first was taken, so each report has an id, which is stored together with what it adds.
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { Db } from './execution/handler.ts'

/** A gateway that is cut off for longer than this, after a report whose answer was lost, may count that one twice. */
const reportIdsKeptHours = 24
const batchMax = 5_000

/** Counts all of the report or nothing. The same report, sent to another service meanwhile, waits for the first. */
export function countOnce(db: Database, reportId: string, count: (tx: Db) => Promise<void>): Promise<void> {
  return transact(db, async (tx) => {
    const isNew =
      await tx.$executeRaw`INSERT INTO gateway_report (id) VALUES (${reportId}::uuid) ON CONFLICT DO NOTHING`
    if (isNew === 1) await count(tx)
  })
}

/** Deletes in batches, so that no statement holds many rows for long. */
export async function deleteOutdatedReports(db: Database): Promise<void> {
  for (let last = batchMax; last === batchMax;) {
    last = await db.$executeRaw`
      DELETE FROM gateway_report WHERE id IN (
        SELECT id FROM gateway_report WHERE received_at < now() - ${reportIdsKeptHours}::int * interval '1 hour'
        ORDER BY received_at LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`
  }
}
