// Writes results, also of deliveries that the database has lost: the commit of a fan-out does not wait for the disk
// (fan-out/write-deliveries.ts). Its events are in the outbox again then, and what was sent is not sent twice for that.
import type { EventRecord } from '#contract/event-envelope.ts'
import type { Database } from '#prisma/client.ts'
import type { AttemptResult } from '../attempt/deliver.ts'
import { deliveryKeySet, inSpanOf } from '../queue/leases.ts'
import { writeResultRows, type WrittenResults } from './result-rows.ts'

type WriteResults = (results: readonly AttemptResult[]) => Promise<WrittenResults>

/** How many of the events have been waiting in the outbox, and of how many the deliveries were written. */
export type FanOutAgain = (eventIds: readonly string[]) => Promise<{ readonly found: number; readonly events: number }>

/** The results are all successes, or none of them. */
export const resultsWriter =
  (db: Database, owner: string, fanOut: FanOutAgain): WriteResults =>
  async (results) => {
    const written = await writeResultRows(db, owner, results)
    if (written.accepted === results.length) return written
    const lost = await withoutRow(db, results)
    if (lost.length === 0) return written
    const { found, events } = await fanOut([...new Set(lost.map(eventIdOf))])
    if (events < found) throw new Error('Somebody else fans out the same events')
    const restored = await writeResultRows(db, owner, lost)
    return { accepted: written.accepted + restored.accepted, open: [...written.open, ...restored.open] }
  }

/** The results whose deliveries are not there. */
async function withoutRow(db: Database, results: readonly AttemptResult[]): Promise<AttemptResult[]> {
  const keys = results.map(({ delivery }) => delivery)
  const there = await db.$queryRaw<readonly { id: string }[]>`
    SELECT d.id FROM ${deliveryKeySet(keys)}
    CROSS JOIN LATERAL (
      SELECT id FROM delivery d WHERE workspace_id = k.workspace_id AND id = k.id AND ${inSpanOf(keys)} OFFSET 0
    ) d`
  const ids = new Set(there.map(({ id }) => id))
  return results.filter(({ delivery }) => !ids.has(delivery.id))
}

const eventIdOf = ({ delivery }: AttemptResult): string => (JSON.parse(delivery.eventBody) as EventRecord).id
