// What a database server does by itself, done for the embedded one, and what only a process alone on its database may do.
import { setTimeout as after } from 'node:timers/promises'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'

const vacuumEveryMs = 3_600_000

/** Releases the leases of a process that was killed at once: no other process works on this database. */
export async function releaseLeases(db: Database): Promise<void> {
  await db.delivery.updateMany({ where: { leaseUntil: { not: null } }, data: { leaseOwner: null, leaseUntil: null } })
}

/** PGlite has no autovacuum: without this, tables grow and the planner works on old statistics. */
export function vacuumHourly(db: Database, onError: (error: unknown) => void): Part {
  const closing = new AbortController()
  const running = repeat(closing.signal, () => db.$executeRaw`VACUUM ANALYZE`.catch(onError))
  return {
    close: async () => {
      closing.abort()
      await running
    },
  }
}

async function repeat(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await after(vacuumEveryMs, undefined, { signal }).then(work, () => {})
  }
}
