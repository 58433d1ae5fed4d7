// The service process: settings → database, broker, Redis → HTTP.
import { keyChangeChannel, type KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { setupLinkHours } from '#contract/setup.ts'
import { openDatabase, type Database } from '#prisma/client.ts'
import { ensureSecretProof, reportSealingKeys, webhookKeyring } from '#prisma/sealing-rows.ts'
import { assertMigrated } from '#prisma/migrate.ts'
import { oidcContradictions, oidcIn } from './identity/oidc/settings.ts'
import { firstSetupLink } from './identity/setup/rows.ts'
import { resealing } from './webhooks/signing-secrets.ts'
import { namesFor, brokerLog } from '#runtime/broker-connection.ts'
import { openRedisPublisher } from '#runtime/redis.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { closeServer, drainFor } from '#runtime/close-server.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import { metricsPortTaken, serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { rateContradictions, ratesIn } from '#runtime/shared-settings.ts'
import { runBackgroundWork } from './background-work.ts'
import { openDatabaseSlots } from './execution/database-slots.ts'
import { fileContradictions, fileStoreIn } from './files/settings.ts'
import { recorders } from './handlers.ts'
import { openEventNotifier } from './ledger/event-notifier.ts'
import { logReadinessChanges } from './readiness.ts'
import { buildService } from './server.ts'
import { settings as declared } from './settings.ts'

const callsEndWithinMs = 18_000
const partClosesWithinMs = 20_000

await run('service', async (log) => {
  const settings = readServiceSettings()
  const database = await openDatabase({
    url: settings.databaseUrl,
    connections: settings.databasePool,
    application: 'service',
  })
  await assertMigrated(database.db)
  await ensureSecretProof(database.db, settings.internalSecret, settings.internalSecretChanged)
  const webhookKeys = webhookKeyring(settings)
  await reportSealingKeys(database.db, webhookKeys, log)
  const reseal = resealing(database.db, webhookKeys, log)
  const broker = await openPublisher(settings.amqpUrl, namesFor(settings.brand), brokerLog(log))
  const keyChangePublisher = openRedisPublisher(settings.redisUrl, keyChangeChannel(settings.brand), (err) =>
    log.warn({ err }, 'redis'),
  )
  const notifyKeyChange = (change: KeyChange) => keyChangePublisher.publish(JSON.stringify(change))
  const eventNotifier = openEventNotifier(database.db, broker.publish, log)
  const { begin: drain, isDraining: isStopping } = drainFor(settings.drainSeconds)
  const dependencies = {
    isStopping,
    database: () => !database.isAway(),
    redis: keyChangePublisher.isConnected,
    broker: broker.isConnected,
    storage: () => !database.isFull(),
  }
  const slots = openDatabaseSlots(settings.databasePool)
  const fileStore = fileStoreIn(settings, settings.filesDir)
  const {
    app,
    execute,
    metrics: source,
  } = buildService({
    slots,
    dependencies,
    db: database.db,
    poolUsage: database.poolUsage,
    ...settings,
    fileStore,
    rates: ratesIn(settings),
    oidc: oidcIn(settings),
    allowedTargets: { ranges: ranges(settings.webhookAllowCidrs), http: settings.webhookAllowHttp },
    eventNotifier,
    notifyKeyChange,
    log,
  })
  await app.listen({ host: settings.host, port: settings.port })
  await logSetupLink(database.db, settings.publicUrl ?? '', log)
  const changes = { db: database.db, slots, ...recorders, notifyEvents: eventNotifier.notifyEvents, notifyKeyChange }
  const backgroundWork = runBackgroundWork({ ...changes, fileStore, reseal, execute }, (err) =>
    log.warn({ err }, 'background work failed, trying again later'),
  )
  const metrics = await serveMetrics(settings, [source])
  const readinessLog = logReadinessChanges(dependencies, log)
  const server = { close: () => closeServer(app, callsEndWithinMs) }
  const parts = [metrics, database, keyChangePublisher, broker, backgroundWork, readinessLog, server, eventNotifier]
  const close = () => closeAll(parts, partClosesWithinMs)
  return { drain, close }
})

function readServiceSettings() {
  return readSettings(declared, process.env, (given) => [
    ...metricsPortTaken(given),
    ...rateContradictions(given),
    ...oidcContradictions(given),
    ...fileContradictions(given),
  ])
}

/** Logs are read by many: the first start of all names the link, later ones say how to have another. */
async function logSetupLink(db: Database, baseUrl: string, log: Log): Promise<void> {
  const first = await firstSetupLink(db, baseUrl)
  if (first.state === 'made')
    log.warn(
      { link: first.link, hours: setupLinkHours },
      'there is no account yet: open this link, logged once, to make one',
    )
  if (first.state === 'made before')
    log.warn('there is no account yet; the link to make one was logged before, and `npm run setup-link` prints another')
}
