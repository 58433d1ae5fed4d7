// Applies the SQL files in migrations/ to Postgres or PGlite, and checks at the start of a process that they were
// applied. Table, checksums and lock are those of Prisma's own `migrate deploy`, so either may be used on the same
// database; Prisma's needs a platform-specific engine, this does not.

import { randomUUID, hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '#runtime/process.ts'
import type { Database, Where } from './client.ts'
import { openSession, type Session } from './sql-session.ts'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

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

/** The script and its history row are one transaction: a migration is applied and recorded, or neither. */
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

/** In `logs` Prisma keeps why a migration failed. Here it holds the declaration of one that succeeded. */
const historyRows = `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs AS declaration
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`

const historyInsert = `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`

export type Migration = {
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** The first line of the file: whether versions without this migration keep working with it, and why. */
  readonly declaration: string | null
}
export type Applied = {
  readonly name: string
  readonly checksum: string
  readonly finished: boolean
  /** As stored when the migration was applied: all that an older version can know about it. */
  readonly declaration: string | null
}

const migrationsFolder = join(import.meta.dirname, 'migrations')

/** Returns them in the order of their names, which begin with their time of creation. */
export function readMigrations(folder: string = migrationsFolder): readonly Migration[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => readMigration(folder, name))
}

type History = {
  /** Still to be applied. */
  readonly pending: readonly Migration[]
  /** Applied by a newer version, and compatible with this one. */
  readonly newer: readonly string[]
}

/** Throws a StartupError when this version cannot work with the database. */
function historyOf(migrations: readonly Migration[], applied: readonly Applied[]): History {
  const byName = new Map(applied.map((one) => [one.name, one]))
  for (const { name, finished } of applied) {
    if (!finished)
      throw new StartupError(
        `Migration ${name} failed half-way on this database. Repair it, then remove its row from _prisma_migrations.`,
      )
  }
  const newer = newerThan(migrations, applied)
  const changed = migrations.find(({ name, checksum }) => byName.has(name) && byName.get(name)?.checksum !== checksum)
  if (changed)
    throw new StartupError(
      `Migration ${changed.name} was changed after it was applied. Restore its file and add a new migration instead.`,
    )
  return { pending: migrations.filter(({ name }) => !byName.has(name)), newer }
}

/** Returns the names that this version does not know. Throws a StartupError when one of them is not compatible. */
export function newerThan(
  migrations: readonly Pick<Migration, 'name'>[],
  applied: readonly Pick<Applied, 'name' | 'declaration'>[],
): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !known.has(name))
  const blocking = unknown.filter(({ declaration }) => !declaration?.startsWith('compatible:'))
  if (blocking.length === 0) return unknown.map(({ name }) => name)
  throw new StartupError(
    `The database was migrated by a newer version (${blocking.map(({ name }) => name).join(', ')}), and this one cannot work on it any more. Run the newer version, or restore the backup that was made before its migration.`,
  )
}

function readMigration(folder: string, name: string): Migration {
  const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
  return { name, sql, checksum: hash('sha256', sql), declaration: declarationIn(sql) }
}

const declarationIn = (sql: string): string | null => /^-- ((?:in)?compatible: .+)/.exec(sql)?.[1] ?? null

/**
 * Returns the names of the rebuilt indexes. The order of names is that of the server's ICU (the collation
 * `name_order`). Where its version has changed, after an update of the operating system or of PGlite, indexes are still
 * in the former order, and rows that are looked up in them may not be found. So they are rebuilt before anything else
 * reads them.
 */
async function renewNameOrder(session: Session): Promise<readonly string[]> {
  const [outdated] = await session.query<{ oid: number }>(outdatedCollation)
  if (outdated === undefined) return []
  const indexes = (await session.query<{ name: string }>(dependentIndexes, [outdated.oid])).map(({ name }) => name)
  const rebuild = indexes.map((name) => `REINDEX INDEX ${name};`).join('\n')
  await session.run(`BEGIN; ${rebuild} ALTER COLLATION name_order REFRESH VERSION; COMMIT`)
  return indexes
}

/** A database that is not migrated so far has no such collation. */
const outdatedCollation = `SELECT oid::int FROM pg_collation
  WHERE oid = to_regcollation('name_order') AND collversion IS DISTINCT FROM pg_collation_actual_version(oid)`

const dependentIndexes = `SELECT DISTINCT c.oid::regclass::text AS name
  FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'i'
  WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_collation'::regclass AND d.refobjid = $1::oid`
