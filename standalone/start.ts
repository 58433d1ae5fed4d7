// The whole product in one process: settings → data folder → database → the three tiers → sample data at the first run.
import { defaultRates } from '#contract/rate-limits.ts'
import { join, resolve } from 'node:path'
import { fillFromTemplate } from '#prisma/database-template.ts'
import { logPooler, openDatabase, type OpenedDatabase, type Where } from '#prisma/client.ts'
import { declareOrAssert, keepClock } from '#prisma/installation-clock.ts'
import { assertNotImporting } from '#prisma/installation-rows.ts'
import { openDataFolder } from '#prisma/pglite.ts'
import { readMigrations, migrate } from '#prisma/migrate.ts'
import { ensureSecretProof, reportSealingKeys, webhookKeyring } from '#prisma/sealing-rows.ts'
import type { Log } from '#runtime/log.ts'
import { metricsPortTaken, serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { rateContradictions, ratesIn } from '#runtime/shared-settings.ts'
import { openTracing, type OpenedTracing } from '#runtime/tracing/tracing.ts'
import { standardPrice } from '../gateway/rate-limit/limiter.ts'
import { fileContradictions, fileStoreIn } from '../service/files/settings.ts'
import { oidcContradictions, oidcIn } from '../service/identity/oidc/settings.ts'
import { setupLink } from '../service/identity/setup/rows.ts'
import { mailConfigIn, mailContradictions } from '../service/mail/settings.ts'
import { releaseAllLeases, vacuumHourly, watchFullDisk } from './embedded-database.ts'
import { seedIfNew, setupMessage, welcomeMessage } from './first-run.ts'
import { generatedSecret, type Secret, keepSetupLink } from './generated-files.ts'
import { settings as declared } from './settings.ts'
import { startTiers } from './tiers.ts'

type DatabaseSettings = {
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databasePool: number
}

const whereOf = async ({ dataDir, databaseUrl, databasePool: connections }: DatabaseSettings): Promise<Where> =>
  databaseUrl === null
    ? { pglite: await openDataFolder(join(resolve(dataDir), 'database'), fillFromTemplate) }
    : { url: databaseUrl, connections, application: 'standalone' }

async function openMigrated(where: Where, { tracing }: OpenedTracing, log: Log): Promise<OpenedDatabase> {
  await migrate(where, readMigrations(), (names) =>
    log.warn({ names }, 'the database was migrated by a newer version, with which this one is compatible'),
  )
  const database = await openDatabase(where, { traced: tracing !== null })
  logPooler(database, log)
  return database
}

/** Ends the process as an uncaught error does: with the error in the log. */
const endProcess = (error: Error): void => {
  setImmediate(() => {
    throw error
  })
}

const contradictionsIn = [
  metricsPortTaken,
  rateContradictions,
  oidcContradictions,
  fileContradictions,
  mailContradictions,
]
// More than the tiers take, which wait for running calls and attempts.
const closeWithinMs = 23_000

await run(
  'standalone',
  async (log) => {
    const settings = readSettings(declared, process.env, (given) => contradictionsIn.flatMap((find) => find(given)))
    const { dataDir, databaseUrl } = settings
    const traces = await openTracing(settings)
    const where = await whereOf(settings)
    const database = await openMigrated(where, traces, log)
    await assertNotImporting(database.db)
    const secretOf = (given: string | null, name: string): Secret =>
      given === null ? generatedSecret(dataDir, name) : { value: given, path: null }
    const internalSecret = secretOf(settings.internalSecret, 'internal-secret').value
    const secrets = { ...settings, internalSecret }
    await ensureSecretProof(database.db, secrets, settings.internalSecretChanged)
    await declareOrAssert(database.db, { ...settings, where }, log)
    const clock = keepClock(database.db, settings, log)
    // Without SEALING_KEYS webhook secrets are sealed with a key derived from this secret, also in a new data folder: a
    // file of its own beside this one would be lost together with it, and what a folder already holds opens with this
    // one alone.
    await reportSealingKeys(database.db, webhookKeyring(secrets), log)
    const operatorToken = secretOf(settings.operatorToken, 'operator-token')
    if (databaseUrl === null) await releaseAllLeases(database.db)
    const tiers = await startTiers(
      {
        ...settings,
        rates: { ...defaultRates, ...ratesIn(settings) },
        price: standardPrice,
        oidc: oidcIn(settings),
        mail: mailConfigIn(settings),
        fileStore: fileStoreIn(settings, settings.filesDir ?? join(resolve(dataDir), 'files')),
        internalSecret,
        operatorToken: operatorToken.value,
        tracing: traces.tracing,
      },
      database.db,
      log,
      database,
    )
    const metrics = await serveMetrics(settings, tiers.metrics)
    const seeded = await seedIfNew({ url: tiers.url, operatorToken: operatorToken.value })
    process.stdout.write(
      seeded === null ? `Ready at ${tiers.url}\n` : welcomeMessage(tiers.url, seeded, operatorToken.path),
    )
    const isFirst = (await database.db.setupToken.count()) === 0
    const link = await setupLink(database.db, settings.publicUrl ?? tiers.url)
    const keptIn = keepSetupLink(dataDir, link)
    if (link !== null) process.stdout.write(setupMessage(link, keptIn, isFirst))
    if (metrics.url !== null) process.stdout.write(`Metrics at ${metrics.url}\n`)
    const upkeep =
      databaseUrl === null
        ? [vacuumHourly(database.db, (err) => log.warn({ err }, 'vacuum failed')), watchFullDisk(database, endProcess)]
        : []
    return {
      drain: tiers.drain,
      close: () => closeAll([traces, metrics, database, clock, ...upkeep, tiers], closeWithinMs),
    }
  },
  declared,
)
