// Changes that make what gateways have cached of a key outdated, written in the transaction of the change itself. A gateway
// that misses the notification over Redis, or that a dying service never sent, finds the change when it next asks.
import type { KeyChange, RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import type { Database } from '#prisma/client.ts'
import type { Db } from '../execution/handler.ts'

/**
 * Longer than a gateway may be without an answer before it takes everything for changed (gateway/keys/key-changes.ts), and
 * a transaction may take between writing a change and its commit besides.
 */
const recentSeconds = 90
const recentMax = 5_000
const keptMinutes = 10
const batchMax = 5_000

type Row = { number: string; kind: KeyChange['kind']; id: string; version: number | null }

export async function recordKeyChanges(tx: Db, changes: readonly KeyChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.keyChange.createMany({
    data: changes.map(({ kind, id, version = null }) => ({ kind, subjectId: id, version })),
  })
}

export async function recentKeyChanges(db: Database, max = recentMax): Promise<RecentKeyChanges> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT id::text AS number, kind, subject_id AS id, version FROM key_change
    WHERE made_at > clock_timestamp() - ${recentSeconds}::int * interval '1 second'
    ORDER BY made_at DESC LIMIT ${max + 1}::int`
  return { changes: rows.slice(0, max).map(toChange), complete: rows.length <= max }
}

const toChange = ({ version, ...change }: Row): RecentKeyChanges['changes'][number] => ({
  ...change,
  ...(version !== null && { version }),
})

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
