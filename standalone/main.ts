// The whole product in one process: settings → data folder → database → the three tiers → sample data at the first run.
import { join, resolve } from 'node:path'
import { openDatabase, type OpenedDatabase, type Where } from '#prisma/client.ts'
import { openDataFolder } from '#prisma/data-folder.ts'
import { readMigrations } from '#prisma/history.ts'
import { proveSecret } from '#prisma/installation.ts'
import { migrate } from '#prisma/migrate.ts'
import type { Log } from '#runtime/log.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { freeLeases, vacuuming } from './embedded-database.ts'
import { seedIfNew, welcome } from './first-run.ts'
import { ownSecret, type OwnSecret } from './own-secrets.ts'
import { settings as declared } from './settings.ts'
import { startTiers } from './tiers.ts'

const embedded = async (dataDir: string): Promise<Where> => ({
  pglite: await openDataFolder(join(resolve(dataDir), 'database')),
})

async function migrated(where: Where, log: Log): Promise<OpenedDatabase> {
  await migrate(where, readMigrations(), (names) =>
    log.warn({ names }, 'the database was migrated by a newer version, beside which this one works'),
  )
  return openDatabase(where)
}

// The tiers wait for calls and deliveries in flight.
const closeWithinMs = 23_000

await run(
  'standalone',
  async (log) => {
    const settings = readSettings(declared)
    const { dataDir, databaseUrl, databasePool: connections } = settings
    const database = await migrated(
      databaseUrl === null ? await embedded(dataDir) : { url: databaseUrl, connections, application: 'standalone' },
      log,
    )
    const secretOf = (given: string | null, name: string): OwnSecret =>
      given === null ? ownSecret(dataDir, name) : { value: given, path: null }
    const internalSecret = secretOf(settings.internalSecret, 'internal-secret').value
    await proveSecret(database.db, internalSecret, settings.internalSecretChanged)
    const operatorToken = secretOf(settings.operatorToken, 'operator-token')
    if (databaseUrl === null) await freeLeases(database.db)
    const tiers = await startTiers(
      { ...settings, internalSecret, operatorToken: operatorToken.value },
      database.db,
      log,
      database.isAway,
    )
    const made = await seedIfNew({ url: tiers.url, operatorToken: operatorToken.value })
    process.stdout.write(made === null ? `Ready at ${tiers.url}\n` : welcome(tiers.url, made, operatorToken.path))
    const upkeep = databaseUrl === null ? [vacuuming(database.db, (err) => log.warn({ err }, 'vacuum failed'))] : []
    return { drain: tiers.drain, close: () => closeAll([database, ...upkeep, tiers], closeWithinMs) }
  },
  declared,
)
