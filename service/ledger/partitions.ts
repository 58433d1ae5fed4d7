// The partitions of the ledger (events, deliveries and attempts), by the time of the event: which there are, which are
// to be added before their time comes, and which leave. Events at a time without one lie in the partition `default`.
// Ids of events, and of their deliveries, begin with the milliseconds of their time. A partition whose events are all
// older than they are kept leaves as a whole: nothing is read, and no row is deleted. One that holds an event that is
// still to be fanned out, or a delivery that is still to be sent, stays until that has ended;
// `partition-maintenance.ts` deletes what is around it.
import { eventsKeptDays } from '#contract/events.ts'
import type { Database } from '#prisma/client.ts'
import type { Db } from '../execution/call.ts'
import { addPartition, dropPartition, lockLedger, newestStray, partitionBounds, unsettledIn } from './rows.ts'

/** Few partitions are quick to plan for; short ones leave soon after their time. */
export const partitionDays = 14
const dayMs = 86_400_000
const aheadMs = partitionDays * dayMs

/** Its events are older than `until`, in milliseconds since 1970. */
export type Partition = { readonly name: string; readonly until: number }
type Planned = Partition & { readonly from: number }

/** Without the default one, the oldest first. */
export async function readPartitions(db: Db): Promise<Partition[]> {
  const rows = await partitionBounds(db)
  return rows.map(({ name, end }) => ({ name, until: timeOfId(end) })).toSorted((one, other) => one.until - other.until)
}

/** The time for which events have a partition to go to; for the operator. */
export async function aheadSeconds(db: Database): Promise<number> {
  const until = (await readPartitions(db)).at(-1)?.until ?? 0
  return Math.max(0, (until - Date.now()) / 1_000)
}

/**
 * Those that are missing until `partitionDays` from now, from midnight to midnight (UTC). They begin after `strayed`,
 * the time of the newest event that found no partition: it stays where it is.
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
  const [stray] = await newestStray(tx, firstIdAt(now + 3 * aheadMs))
  const strayed = stray === undefined ? null : timeOfId(stray.id)
  const missing = missingPartitions(await readPartitions(tx), strayed, now)
  for (const { name, from, until } of missing) {
    const bounds = `FOR VALUES FROM ('${firstIdAt(from)}') TO ('${firstIdAt(until)}')`
    await addPartition(tx, name, bounds)
  }
  return missing.length > 0
}

const msMax = 2 ** 48 - 1

/** Not later than any id of this time, and later than all ids of an earlier one. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), msMax).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** Longer than it takes from the first look at a partition until its locks are held, however differently clocks go. */
const marginMs = 3_600_000

/** The time before which events are outdated. */
export const keptSince = (now: number): number => now - eventsKeptDays * dayMs

/** Returns false when there is none to drop. */
export async function dropOutdatedPartition(tx: Db, now: number): Promise<boolean> {
  for (const partition of await readPartitions(tx)) {
    if (partition.until > keptSince(now)) return false
    if (!(await isUnsettled(tx, partition, new Date(0))) && (await drop(tx, partition, now))) return true
  }
  return false
}

/**
 * The locks keep all others away until the transaction ends: no delivery is replayed meanwhile. What was looked at
 * without them is looked at again as far as it can have changed.
 */
async function drop(tx: Db, partition: Partition, now: number): Promise<boolean> {
  await lockLedger(tx)
  if (await isUnsettled(tx, partition, new Date(now - marginMs))) return false
  await dropPartition(tx, partition.name)
  return true
}

async function isUnsettled(db: Db, { name, until }: Partition, since: Date): Promise<boolean> {
  const [found] = await unsettledIn(db, name, firstIdAt(until), since)
  return found?.unsettled !== false
}
