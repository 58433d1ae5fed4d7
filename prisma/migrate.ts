// Applies the SQL files in migrations/ to Postgres or PGlite, and checks at the start of a process that they were
// applied. Table, checksums and lock are those of Prisma's own `migrate deploy`, so either may be used on the same
// database; Prisma's needs a platform-specific engine, this does not.

import { randomUUID, hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '#runtime/process.ts'
import type { Database, Where } from './client.ts'
import { schemaIn } from './address.ts'
import { grantTo } from './app-role.ts'
import { databaseErrorIn } from './database-errors.ts'
import { openSession, type Session } from './sql-session.ts'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const prismaLockKey = 72_707_369
/** A migration may say itself how long it waits for a lock, since calls wait behind it: then it is tried again. */
const triesMax = 60
const tryAgainMs = 1_000
const lockNotAvailable = '55P03'
const insufficientPrivilege = '42501'
const mayNotReadMessage =
  'The role of DATABASE_URL may not read the tables. Run "npm run migrate" as the role that owns them, with DATABASE_APP_ROLE naming this one.'

/**
 * Returns the names of the applied migrations. Concurrent runs wait for each other. `onNewer` gets the names of
 * compatible migrations that a newer version has applied: after a rollback the older version still starts. `appRole` is
 * granted what services and dispatchers need.
 */
export async function migrate(
  where: Where,
  migrations: readonly Migration[] = readMigrations(),
  onNewer: (names: readonly string[]) => void = () => {},
  appRole: string | null = null,
): Promise<readonly string[]> {
  const session = await openSession(where)
  const lookedUp = async () => historyOf(migrations, await session.query<Applied>(historyRows))
  try {
    const named = 'url' in where ? schemaIn(where.url) : null
    const { newer } = await alone(session, async () => {
      if (session.schema === null && named !== null) await session.run(`CREATE SCHEMA IF NOT EXISTS "${named}"`)
      await session.run(historyTable)
      return lookedUp()
    })
    if (newer.length > 0) onNewer(newer)
    const applied: string[] = []
    for (;;) {
      const name = await applyNext(session, async () => (await lookedUp()).pending[0])
      if (name === null) break
      applied.push(name)
    }
    await alone(session, () => renewNameOrder(session))
    if (appRole !== null) await alone(session, () => grantTo(session, appRole))
    return applied
  } finally {
    await session.close()
  }
}

/**
 * Runs `work` in a transaction while no other process migrates this database. The lock ends with the transaction: one
 * of the session would stay behind in a pooler's.
 */
const alone = <T>(session: Session, work: () => Promise<T>): Promise<T> =>
  session.transaction(async () => {
    await session.query('SELECT pg_advisory_xact_lock($1)', [prismaLockKey])
    return work()
  })

/**
 * Throws a StartupError when migrations are missing. Compatible ones of a newer version are fine: during a rolling
 * update this process may be the last old one.
 */
export async function assertMigrated(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<void> {
  const applied = await appliedIn(db).catch((error: unknown) => {
    throw error instanceof Error && databaseErrorIn(error).originalCode === insufficientPrivilege
      ? new StartupError(mayNotReadMessage, { cause: error })
      : error
  })
  newerThan(migrations, applied)
  const missing = migrations.filter(({ name }) => !applied.some((one) => one.name === name))
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new StartupError(`The database lacks ${missing.length} migration(s) (${names}). Run "npm run migrate" first.`)
}

type NextMigration = () => Promise<Migration | undefined>

/**
 * The script and its history row are one transaction: a migration is applied and recorded, or neither. Returns null
 * when there is none left.
 */
async function applyNext(session: Session, next: NextMigration, tries = triesMax): Promise<string | null> {
  let begun: Migration | undefined
  try {
    return await alone(session, async () => {
      const migration = await next()
      if (migration === undefined) return null
      begun = migration
      const { name, sql, checksum, declaration } = migration
      await session.run(sql)
      await session.query(historyInsert, [randomUUID(), checksum, name, declaration])
      return name
    })
  } catch (error) {
    if (begun === undefined) throw error
    if (tries > 1 && (error as { code?: unknown }).code === lockNotAvailable) {
      await pause(tryAgainMs)
      return applyNext(session, next, tries - 1)
    }
    throw new StartupError(`Migration ${begun.name} failed and changed nothing: ${String(error)}.`, { cause: error })
  }
}

async function appliedIn(db: Database): Promise<readonly Pick<Applied, 'name' | 'declaration'>[]> {
  const [table] = await db.$queryRaw<
    { exists: boolean }[]
  >`SELECT to_regclass(quote_ident(current_schema()) || '._prisma_migrations') IS NOT NULL AS exists`
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
  const changed = migrations.find((migration) => isChanged(migration, byName.get(migration.name)))
  if (changed)
    throw new StartupError(
      `Migration ${changed.name} was changed after it was applied. Restore its file and add a new migration instead.`,
    )
  return { pending: migrations.filter(({ name }) => !byName.has(name)), newer }
}

/**
 * What migrations were before they were changed, when databases had been migrated by them. The migration `former_texts`
 * brings about what these lack.
 */
const formerChecksums: Readonly<Record<string, string>> = {
  '20261126120100_events_of_an_object': '5311a71ddcf092082065af80f3274ee325dd53f68fb2b7dc3df2644112089ca4',
  '20261126130000_external_ids': '20390b862469b509d000e9bcfdd8a258c7ad2d106e1f09595775d1d3fc05b612',
}

const isChanged = ({ name, checksum }: Migration, applied: Applied | undefined): boolean =>
  applied !== undefined && applied.checksum !== checksum && applied.checksum !== formerChecksums[name]

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
  await session.run(`${rebuild} ALTER COLLATION name_order REFRESH VERSION`)
  return indexes
}

/** A database that is not migrated so far has no such collation. */
const outdatedCollation = `SELECT oid::int FROM pg_collation
  WHERE oid = to_regcollation('name_order') AND collversion IS DISTINCT FROM pg_collation_actual_version(oid)`

const dependentIndexes = `SELECT DISTINCT c.oid::regclass::text AS name
  FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'i'
  WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_collation'::regclass AND d.refobjid = $1::oid`
