// Locks of a Postgres that another process holds, and who waits for one.
import type { Database } from '#prisma/client.ts'
import { openSession, type Session } from '#prisma/sql-session.ts'

type HeldLock = AsyncDisposable & Pick<Session, 'query'> & { letGo(): Promise<void> }

/** Held by a transaction of its own connection, until it is let go. */
export async function holdLock(url: string, statement: string, values: readonly unknown[] = []): Promise<HeldLock> {
  const { run, query, close } = await openSession({ url })
  await run('BEGIN')
  await query(statement, values)
  return { query, letGo: () => run('COMMIT'), [Symbol.asyncDispose]: close }
}

/** Whether any connection of this database waits for a lock. */
export async function isWaiting(db: Pick<Database, '$queryRaw'>): Promise<boolean> {
  const waiting = await db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return waiting.length > 0
}
