// Partitions whose events are all older than they are kept leave as a whole: nothing is read, and no row is deleted. One
// that holds an event that is still to be fanned out, or a delivery that is still to be sent, stays until that has ended;
// `retention.ts` deletes what is around it.
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { firstIdAt } from './id-times.ts'
import { readPartitions, type Partition } from './partitions.ts'
import { eventsKeptDays } from '#contract/events.ts'

const dayMs = 86_400_000
/** Longer than it takes from the first look at a partition until its locks are held, however differently clocks go. */
const marginMs = 3_600_000

/** Until when events are outdated. */
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
 * The locks keep everybody away until the transaction ends: no delivery is replayed meanwhile. What was looked at without
 * them is looked at again as far as it can have changed. Foreign keys go too, so the tables that they lead to are locked,
 * all in the order in which others lock them.
 */
async function drop(tx: Db, partition: Partition, now: number): Promise<boolean> {
  await tx.$executeRaw`
    LOCK TABLE ONLY workspace, ONLY webhook, ONLY event, ONLY delivery, ONLY attempt IN ACCESS EXCLUSIVE MODE`
  if (await isUnsettled(tx, partition, new Date(now - marginMs))) return false
  const { name } = partition
  await tx.$executeRaw(Prisma.raw(`DROP TABLE attempt_${name}, delivery_${name}, event_${name}`))
  return true
}

/**
 * Read from indexes alone. A delivery that waits has a time of its next attempt, or stands in a line, or waits for a webhook
 * that is not active: looked for are webhooks that left the active state after `since`.
 */
async function isUnsettled(db: Db, { name, until }: Partition, since: Date): Promise<boolean> {
  const deliveries = Prisma.raw(`delivery_${name}`)
  const [found] = await db.$queryRaw<{ unsettled: boolean }[]>`
    SELECT EXISTS (SELECT FROM ${deliveries} WHERE next_attempt_at IS NOT NULL)
        OR EXISTS (SELECT FROM ${deliveries} WHERE order_key IS NOT NULL AND status IN ('pending', 'retrying'))
        OR EXISTS (SELECT FROM outbox o JOIN ${Prisma.raw(`event_${name}`)} e ON e.workspace_id = o.workspace_id AND e.id = o.event_id
                   WHERE o.event_id < ${firstIdAt(until)}::uuid)
        OR EXISTS (
          SELECT FROM webhook w CROSS JOIN LATERAL (
            SELECT FROM ${deliveries}
            WHERE workspace_id = w.workspace_id AND webhook_id = w.id AND status IN ('pending', 'retrying') LIMIT 1
          ) d
          WHERE w.status <> 'active' AND w.status_changed_at > ${since}
        ) AS unsettled`
  return found?.unsettled !== false
}
