// Applies the SQL files in migrations/ to Postgres or PGlite. Table, checksums and lock are those of Prisma's own
// `migrate deploy`, so either may be used on the same database; Prisma's needs a platform-specific engine, this does
// not.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '#runtime/process.ts'
import type { Database, Where } from './client.ts'
import { historyOf, newerThan, readMigrations, type Applied, type Migration } from './migration-history.ts'
import { renewNameOrder } from './name-order.ts'
import { openSession, type Session } from './sql-session.ts'

const prismaLockKey = 72_707_369
const lockWithin = '60s'
/** A migration may say itself how long it waits for a lock, since calls wait behind it: then it is tried again. */
const triesMax = 60
const tryAgainMs = 1_000
const lockNotAvailable = '55P03'

/**
 * Returns the names of the applied migrations. Concurrent runs wait for each other. `onNewer` gets the names of
 * compatible migrations that a newer version has applied: after a rollback the older version still starts.
 */
export async function migrate(
  where: Where,
  migrations: readonly Migration[] = readMigrations(),
  onNewer: (names: readonly string[]) => void = () => {},
): Promise<readonly string[]> {
  const session = await openSession(where)
  try {
    await session.run(`SET lock_timeout = '${lockWithin}'; SELECT pg_advisory_lock(${prismaLockKey})`)
    await session.run(historyTable)
    const { pending, newer } = historyOf(migrations, await session.query<Applied>(historyRows))
    if (newer.length > 0) onNewer(newer)
    for (const migration of pending) await apply(session, migration)
    await renewNameOrder(session)
    await session.run(`SELECT pg_advisory_unlock(${prismaLockKey}); RESET lock_timeout`)
    return pending.map(({ name }) => name)
  } finally {
    await session.close()
  }
}

/**
 * Throws a StartupError when migrations are missing. Compatible ones of a newer version are fine: during a rolling
 * update this process may be the last old one.
 */
export async function assertMigrated(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<void> {
  const applied = await appliedIn(db)
  newerThan(migrations, applied)
  const missing = migrations.filter(({ name }) => !applied.some((one) => one.name === name))
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new StartupError(`The database lacks ${missing.length} migration(s) (${names}). Run "npm run migrate" first.`)
}

// The script and its history row are one transaction: a migration is applied and recorded, or neither.
async function apply(session: Session, migration: Migration, tries = triesMax): Promise<void> {
  const { name, sql, checksum, declaration } = migration
  try {
    await session.run('BEGIN')
    await session.run(sql)
    await session.query(historyInsert, [randomUUID(), checksum, name, declaration])
    await session.run('COMMIT')
  } catch (error) {
    await session.run('ROLLBACK')
    if (tries > 1 && (error as { code?: unknown }).code === lockNotAvailable) {
      await pause(tryAgainMs)
      return apply(session, migration, tries - 1)
    }
    throw new StartupError(`Migration ${name} failed and changed nothing: ${String(error)}.`, { cause: error })
  }
}

async function appliedIn(db: Database): Promise<readonly Pick<Applied, 'name' | 'declaration'>[]> {
  const [table] = await db.$queryRaw<
    { exists: boolean }[]
  >`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`
  if (!table?.exists) return []
  return db.$queryRaw`
    SELECT migration_name AS name, logs AS declaration FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
}

const historyTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`

// In `logs` Prisma keeps why a migration failed. Here it holds the declaration of one that succeeded.
const historyRows = `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs AS declaration
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`

const historyInsert = `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`
