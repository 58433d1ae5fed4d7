// Changes of what gateways remember of keys, written with the change itself: whatever happens to the service that made it,
// and whoever could not be told of it, the next gateway that asks any service sees it.
import type { KeyChange, RecentKeyChanges } from '#contract/principal.ts'
import type { Database } from '#prisma/client.ts'
import type { Db } from '../execution/handler.ts'

/** Above how long a gateway remembers a key, with what a transaction may take from writing a change to its commit. */
const toldForSeconds = 90
const toldMax = 5_000
const keptMinutes = 10
const batchMax = 5_000

export async function recordKeyChanges(tx: Db, changes: readonly KeyChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.keyChange.createMany({ data: changes.map(({ kind, id }) => ({ kind, subjectId: id })) })
}

export async function recentKeyChanges(db: Database, max = toldMax): Promise<RecentKeyChanges> {
  const rows = await db.$queryRaw<{ number: string; kind: KeyChange['kind']; id: string }[]>`
    SELECT id::text AS number, kind, subject_id AS id FROM key_change
    WHERE made_at > clock_timestamp() - ${toldForSeconds}::int * interval '1 second'
    ORDER BY made_at DESC LIMIT ${max + 1}::int`
  return { changes: rows.slice(0, max), complete: rows.length <= max }
}

/** In batches, so that no statement holds many rows for long. */
export async function deleteOutdatedKeyChanges(db: Database): Promise<void> {
  for (let last = batchMax; last === batchMax;) {
    last = await db.$executeRaw`
      DELETE FROM key_change WHERE id IN (
        SELECT id FROM key_change WHERE made_at < clock_timestamp() - ${keptMinutes}::int * interval '1 minute'
        ORDER BY made_at LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`
  }
}
