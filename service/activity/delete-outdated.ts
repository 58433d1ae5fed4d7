// Deletes counts that have been kept long enough, in batches, so that no statement holds many rows for long.
import { usageDays, usageHours } from '#contract/usage.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Unit } from './periods.ts'

const tables = {
  api_key_activity: Prisma.raw('api_key_id'),
  webhook_activity: Prisma.raw('webhook_id'),
} as const

const batchMax = 5_000
/** More than are shown, so that the oldest that is shown is whole. */
export const keptHours: Readonly<Record<Unit, number>> = { hour: usageHours + 1, day: (usageDays + 5) * 24 }

export async function deleteOutdatedCounts(db: Database, table: keyof typeof tables, now: Date): Promise<void> {
  for (const unit of ['hour', 'day'] as const) await deleteBefore(db, table, unit, hoursBefore(now, keptHours[unit]))
}

export const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000)

function deleteBefore(db: Database, table: keyof typeof tables, unit: Unit, before: Date): Promise<void> {
  const [name, id] = [Prisma.raw(table), tables[table]]
  return inBatches(
    batchMax,
    () => db.$executeRaw`
      DELETE FROM ${name} WHERE (workspace_id, unit, ${id}, since) IN (
        SELECT workspace_id, unit, ${id}, since FROM ${name} WHERE unit = ${unit} AND since < ${before}
        ORDER BY since LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
  )
}

/** Until one deletes less than a whole batch. */
export async function inBatches(max: number, deleteBatch: () => Promise<number>): Promise<void> {
  for (let last = max; last === max;) last = await deleteBatch()
}
