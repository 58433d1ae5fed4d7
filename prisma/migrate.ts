// Applies the SQL files in migrations/ to Postgres or PGlite. It keeps the table, the checksums and the lock of Prisma's
// own `migrate deploy`, so either may be used on the same database; Prisma's needs an engine for the platform, this not.
import { randomUUID } from 'node:crypto'
import { StartupError } from '#runtime/startup-error.ts'
import type { Database, Where } from './client.ts'
import { historyOf, newerThan, readMigrations, type Applied, type Migration } from './history.ts'
import { openSession, type Session } from './session.ts'

const prismaLockKey = 72_707_369
const lockWithin = '60s'

/**
 * The names of the migrations that it applied. Runners that start at once wait for each other. `onNewer` is told of those
 * that a newer version has applied, where this one works beside them: so a version that was rolled back may be started.
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
    await session.run(`SELECT pg_advisory_unlock(${prismaLockKey}); RESET lock_timeout`)
    return pending.map(({ name }) => name)
  } finally {
    await session.close()
  }
}

/** For processes that start. Compatible migrations of a newer version are fine: the process may be the last to be replaced. */
export async function assertMigrated(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<void> {
  const applied = await appliedIn(db)
  newerThan(migrations, applied)
  const missing = migrations.filter(({ name }) => !applied.some((one) => one.name === name))
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new StartupError(`The database lacks ${missing.length} migration(s) (${names}). Run "npm run migrate" first.`)
}

// The script and its row in one transaction: a migration is applied and known, or neither.
async function apply(session: Session, { name, sql, checksum, declaration }: Migration): Promise<void> {
  const id = randomUUID()
  try {
    await session.run('BEGIN')
    await session.run(sql)
    await session.query(historyInsert, [id, checksum, name, declaration])
    await session.run('COMMIT')
  } catch (error) {
    await session.run('ROLLBACK')
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

// Prisma keeps in `logs` why a migration failed. Of one that has not, it holds the declaration.
const historyRows = `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs AS declaration
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`

const historyInsert = `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`
