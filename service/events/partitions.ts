// The partitions of the ledger (events, deliveries and attempts), by the time of the event: which there are, and which are
// to be added before their time comes. What is written at a time without one lies in the partition `default`.
import type { Database } from '#prisma/client.ts'
import type { Db } from '../execution/handler.ts'
import { firstIdAt, timeOfId } from './id-times.ts'

/** Few partitions are quick to plan for; short ones leave soon after their time. */
export const partitionDays = 14
const dayMs = 86_400_000
const aheadMs = partitionDays * dayMs

/** Its events are older than `until`, in milliseconds since 1970. */
export type Partition = { readonly name: string; readonly until: number }
type Planned = Partition & { readonly from: number }

/** Without the default one, the oldest first. */
export async function readPartitions(db: Db): Promise<Partition[]> {
  const rows = await db.$queryRaw<{ name: string; end: string }[]>`
    SELECT substr(c.relname, length('event_') + 1) AS name,
           substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO [(]''([0-9a-f-]*)''[)]') AS end
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'event'::regclass AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`
  return rows.map(({ name, end }) => ({ name, until: timeOfId(end) })).toSorted((one, other) => one.until - other.until)
}

/** For how long events have a partition to go to; for the operator. */
export async function aheadSeconds(db: Database): Promise<number> {
  const until = (await readPartitions(db)).at(-1)?.until ?? 0
  return Math.max(0, (until - Date.now()) / 1_000)
}

/**
 * Those that are missing until `partitionDays` from now, from midnight to midnight (UTC). They begin after `strayed`, the
 * time of the newest event that found no partition: it stays where it is.
 */
export function missingPartitions(present: readonly Partition[], strayed: number | null, now: number): Planned[] {
  const missing: Planned[] = []
  const earliest = strayed === null ? 0 : startOfDay(strayed) + dayMs
  for (
    let from = Math.max(present.at(-1)?.until ?? 0, earliest, startOfDay(now));
    from < now + aheadMs;
    from += aheadMs
  )
    missing.push({ name: new Date(from).toISOString().slice(0, 10).replaceAll('-', ''), from, until: from + aheadMs })
  return missing
}

const startOfDay = (ms: number): number => ms - (ms % dayMs)

/** Returns whether any was missing. */
export async function addPartitions(tx: Db, now: number): Promise<boolean> {
  const [stray] = await tx.$queryRaw<{ id: string | null }[]>`
    SELECT id FROM event_default WHERE id < ${firstIdAt(now + 3 * aheadMs)}::uuid ORDER BY id DESC LIMIT 1`
  const strayed = stray?.id == null ? null : timeOfId(stray.id)
  const missing = missingPartitions(await readPartitions(tx), strayed, now)
  for (const { name, from, until } of missing) {
    const bounds = `FOR VALUES FROM ('${firstIdAt(from)}') TO ('${firstIdAt(until)}')`
    await tx.$queryRaw`SELECT 1 AS added FROM add_ledger_partition(${name}, ${bounds})`
  }
  return missing.length > 0
}
