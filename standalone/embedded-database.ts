// Does for the embedded database what a server does by itself, and what only a process alone on its database may do.
import { setTimeout as after } from 'node:timers/promises'
import type { Database } from '#prisma/client.ts'
import { answer, vacuum } from '#prisma/pglite.ts'
import type { Part } from '#runtime/process.ts'

const vacuumEveryMs = 3_600_000

/** Releases the leases of a process that was killed at once: no other process works on this database. */
export async function releaseAllLeases(db: Database): Promise<void> {
  await db.delivery.updateMany({ where: { leaseUntil: { not: null } }, data: { leaseOwner: null, leaseUntil: null } })
}

/** PGlite has no autovacuum. */
export function vacuumHourly(db: Database, onError: (error: unknown) => void): Part {
  const closing = new AbortController()
  const running = repeat(closing.signal, vacuumEveryMs, () => vacuum(db).catch(onError))
  return {
    close: async () => {
      closing.abort()
      await running
    },
  }
}

type Watched = { readonly db: Parameters<typeof answer>[0]; isFull(): boolean }
type Times = { readonly everyMs: number; readonly answersWithinMs: number }
const standardTimes: Times = { everyMs: 5_000, answersWithinMs: 30_000 }

/**
 * Where its log finds no room, PGlite fails one statement and answers no other: every call would wait for good.
 * `onStuck` ends the process, which finds all that was committed when it starts again with room.
 */
export function watchFullDisk(
  { db, isFull }: Watched,
  onStuck: (error: Error) => void,
  { everyMs, answersWithinMs }: Times = standardTimes,
): Part {
  const closing = new AbortController()
  async function look(): Promise<void> {
    if (!isFull()) return
    const answered = answer(db).then(() => true)
    const silence = after(answersWithinMs, false, { signal: closing.signal }).catch(() => true)
    if (await Promise.race([answered, silence]).catch(() => true)) return
    onStuck(
      new Error(
        'The disk of the data folder is full, and the embedded database has stopped. Make room and start again.',
      ),
    )
  }
  void repeat(closing.signal, everyMs, look)
  // A look that still waits for an answer ends by the same signal.
  return { close: async () => closing.abort() }
}

async function repeat(signal: AbortSignal, everyMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await after(everyMs, undefined, { signal }).then(work, () => {})
  }
}
