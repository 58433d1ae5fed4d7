// An installation that is moved: a session on its database, and the store of its files.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Where } from '#prisma/client.ts'
import { fillFromTemplate } from '#prisma/database-template.ts'
import { importingMessage } from '#prisma/installation-rows.ts'
import { migrate, readMigrations } from '#prisma/migrate.ts'
import { openDataFolder } from '#prisma/pglite.ts'
import { openSession, type Session } from '#prisma/sql-session.ts'
import { StartupError } from '#runtime/process.ts'
import { fileStoreIn } from '../service/files/settings.ts'
import type { FileStore } from '../service/files/store.ts'
import type { SourceSettings } from './settings.ts'

export type Place = AsyncDisposable & {
  readonly session: Session
  readonly files: FileStore
  /** Only this process has the database. */
  readonly isAlone: boolean
}

/** Throws a StartupError where there is no installation of this version, or it is not whole. */
export async function openSource(settings: SourceSettings): Promise<Place> {
  const folder = embeddedIn(settings)
  if (settings.databaseUrl === null && !existsSync(folder))
    throw new StartupError(`There is no database in ${folder}: DATA_DIR or DATABASE_URL must say where one is.`)
  const place = await open(settings, 'export', async () => ({ folder }))
  return checked(place, async ({ session }) => {
    await assertOfThisVersion(session, 'npm run migrate, or a start of standalone, brings it up to date')
    const [begun] = await session.query<{ since: string }>('SELECT started_at::text AS since FROM installation_import')
    if (begun !== undefined) throw new StartupError(importingMessage(new Date(begun.since)))
  })
}

/** A data folder that is not there is made. Throws a StartupError where the database is not of this version. */
export async function openTarget(settings: SourceSettings): Promise<Place> {
  const place = await open(settings, 'import', async () => {
    const pglite = await openDataFolder(embeddedIn(settings), fillFromTemplate)
    await migrate({ pglite })
    return { pglite }
  })
  return checked(place, ({ session }) => assertOfThisVersion(session, 'run npm run migrate on it first'))
}

const embeddedIn = ({ dataDir }: SourceSettings): string => join(resolve(dataDir), 'database')

async function open(settings: SourceSettings, application: string, embedded: () => Promise<Where>): Promise<Place> {
  const { databaseUrl: url, dataDir, filesDir } = settings
  const where: Where = url === null ? await embedded() : { url, connections: 1, application }
  const session = await openSession(where)
  const close = async (): Promise<void> => {
    await session.close()
    if ('pglite' in where) await where.pglite.close()
  }
  const files = fileStoreIn(settings, filesDir ?? join(resolve(dataDir), 'files'))
  return { session, files, isAlone: url === null, [Symbol.asyncDispose]: close }
}

async function checked(place: Place, check: (place: Place) => Promise<void>): Promise<Place> {
  try {
    await check(place)
    return place
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}

async function assertOfThisVersion(session: Session, remedy: string): Promise<void> {
  const [table] = await session.query<{ isThere: boolean }>(
    `SELECT to_regclass(quote_ident(current_schema()) || '._prisma_migrations') IS NOT NULL AS "isThere"`,
  )
  const applied = table?.isThere === true ? await session.query<{ name: string }>(appliedMigrations) : []
  const own = readMigrations().map(({ name }) => name)
  const missing = own.filter((name) => !applied.some((each) => each.name === name))
  if (missing.length > 0)
    throw new StartupError(`The database lacks ${missing.length} migration(s) of this version: ${remedy}.`)
  const newer = applied.filter(({ name }) => !own.includes(name))
  if (newer.length > 0)
    throw new StartupError(
      `The database was migrated by a newer version (${newer.map(({ name }) => name).join(', ')}): use that one.`,
    )
}

const appliedMigrations = `SELECT migration_name AS name FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`

export const ownMigration = (): string => readMigrations().at(-1)?.name ?? ''

/** Names of processes that are connected to the database, or have been within seconds. */
export async function runningProcesses({ session, isAlone }: Place): Promise<string[]> {
  if (isAlone) return []
  const found = await session.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('service', 'dispatcher', 'standalone')
     UNION SELECT 'dispatcher' FROM dispatcher_process WHERE seen_at > now() - interval '6 seconds'
     ORDER BY name`,
  )
  return found.map(({ name }) => name)
}
