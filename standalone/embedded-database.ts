// What a database server does by itself and what a process alone on its folder may do: both are ours here.
import { setTimeout as after } from 'node:timers/promises'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'

const vacuumEveryMs = 3_600_000

/** Nobody else is at work on this folder: what a killed process had leased is free at once, not in a minute. */
export async function freeLeases(db: Database): Promise<void> {
  await db.delivery.updateMany({ where: { leaseUntil: { not: null } }, data: { leaseOwner: null, leaseUntil: null } })
}

/** PGlite has no autovacuum: without this, tables swell and plans are made blindly. */
export function vacuuming(db: Database, onError: (error: unknown) => void): Part {
  const closing = new AbortController()
  const running = everySoOften(closing.signal, () => db.$executeRaw`VACUUM ANALYZE`.catch(onError))
  return {
    close: async () => {
      closing.abort()
      await running
    },
  }
}

async function everySoOften(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await after(vacuumEveryMs, undefined, { signal }).then(work, () => {})
  }
}
