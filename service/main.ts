// The service process: settings → database, broker, Redis → HTTP.
import { keyChangeChannel, type KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { setupLinkHours } from '#contract/setup.ts'
import { logPooler, openDatabase, type Database, type OpenedDatabase } from '#prisma/client.ts'
import { ensureSecretProof, reportSealingKeys, webhookKeyring } from '#prisma/sealing-rows.ts'
import { declareOrAssert, keepClock } from '#prisma/installation-clock.ts'
import { assertNotImporting } from '#prisma/installation-rows.ts'
import { assertMigrated } from '#prisma/migrate.ts'
import { openReplica } from '#prisma/replica.ts'
import { oidcContradictions, oidcIn } from './identity/oidc/settings.ts'
import { firstSetupLink } from './identity/setup/rows.ts'
import { resealing } from './webhooks/signing-secrets.ts'
import { brokerAt } from '#runtime/broker-connection.ts'
import { brokerLog } from '#runtime/broker-log.ts'
import { openRedisPublisher, redisLog } from '#runtime/redis.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { certificateContradictions, readServerCertificate, renewServerCertificate } from '#runtime/certificates.ts'
import { closeServer, drainFor } from '#runtime/close-server.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import { metricsPortTaken, serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { rateContradictions, ratesIn } from '#runtime/shared-settings.ts'
import { openTracing, type OpenedTracing } from '#runtime/tracing/tracing.ts'
import { runBackgroundWork } from './background-work.ts'
import { openDatabaseSlots } from './execution/database-slots.ts'
import { fileContradictions, fileStoreIn } from './files/settings.ts'
import { recorders } from './handlers.ts'
import { openEventNotifier } from './ledger/event-notifier.ts'
import { openMail } from './open-mail.ts'
import { mailConfigIn, mailContradictions } from './mail/settings.ts'
import { logReadinessChanges } from './readiness.ts'
import { buildService } from './server.ts'
import { replicaContradictions, settings as declared } from './settings.ts'

const callsEndWithinMs = 18_000
const partClosesWithinMs = 20_000

await run('service', async (log) => {
  const settings = readServiceSettings()
  const certificate = readServerCertificate(settings)
  const traces = await openTracing(settings)
  const database = await openServiceDatabase(settings, traces, log)
  const webhookKeys = webhookKeyring(settings)
  await reportSealingKeys(database.db, webhookKeys, log)
  const reseal = resealing(database.db, webhookKeys, log)
  const names = namesFor(settings.brand, settings.amqpQueueType)
  const broker = await openPublisher(brokerAt(settings.amqpUrl), names, brokerLog(log))
  const keyChangePublisher = openKeyChanges(settings, log)
  const { notifyKeyChange } = keyChangePublisher
  const clock = keepClock(database.db, settings, log)
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
  const replica = openServiceReplica(settings, database.db, log)
  const fileStore = fileStoreIn(settings, settings.filesDir)
  const mail = openMail(mailConfigIn(settings), { db: database.db, secrets: settings, log })
  const service = buildService({
    slots,
    replica,
    dependencies,
    db: database.db,
    poolUsage: database.poolUsage,
    certificate,
    isRewound: clock.isRewound,
    ...settings,
    fileStore,
    mail,
    rates: ratesIn(settings),
    oidc: oidcIn(settings),
    allowedTargets: { ranges: ranges(settings.webhookAllowCidrs), http: settings.webhookAllowHttp },
    eventNotifier,
    notifyKeyChange,
    tracing: traces.tracing,
    log,
  })
  await service.app.listen({ host: settings.host, port: settings.port })
  await logSetupLink(database.db, settings.publicUrl ?? '', log)
  const changes = { db: database.db, slots, ...recorders, notifyEvents: eventNotifier.notifyEvents, notifyKeyChange }
  const backgroundWork = runBackgroundWork({ ...changes, fileStore, mail, reseal, execute: service.execute }, (err) =>
    log.warn({ err }, 'background work failed, trying again later'),
  )
  const renewal = renewServerCertificate(service.app.server, settings, log)
  const metrics = await serveMetrics(settings, [service.metrics])
  const readinessLog = logReadinessChanges(dependencies, log)
  const server = { close: () => closeServer(service.app, callsEndWithinMs) }
  const upkeep = [...(mail === null ? [] : [mail]), clock, renewal, backgroundWork, readinessLog]
  const stores = replica === null ? [database] : [database, replica.replica]
  const parts = [traces, metrics, ...stores, keyChangePublisher, broker, ...upkeep, server, eventNotifier]
  return { drain, close: () => closeAll(parts, partClosesWithinMs) }
})

async function openServiceDatabase(
  settings: ReturnType<typeof readServiceSettings>,
  { tracing }: OpenedTracing,
  log: Log,
): Promise<OpenedDatabase> {
  const { databaseUrl: url, databasePool: connections, internalSecretChanged } = settings
  const database = await openDatabase({ url, connections, application: 'service' }, { traced: tracing !== null })
  logPooler(database, log)
  await assertMigrated(database.db)
  await assertNotImporting(database.db)
  await ensureSecretProof(database.db, settings, internalSecretChanged)
  await declareOrAssert(database.db, { ...settings, where: { url, application: 'service' } }, log)
  return database
}

function openServiceReplica(
  { databaseReadUrl: url, databasePool: connections }: ReturnType<typeof readServiceSettings>,
  primary: Database,
  log: Log,
) {
  if (url === null) return null
  const replica = openReplica(primary, { url, connections, application: 'service' }, log)
  return { replica, slots: openDatabaseSlots(connections) }
}

function openKeyChanges({ redisUrl, brand, restored }: ReturnType<typeof readServiceSettings>, log: Log) {
  const publisher = openRedisPublisher(redisUrl, keyChangeChannel(brand), redisLog(log))
  const notifyKeyChange = (change: KeyChange): void => publisher.publish(JSON.stringify(change))
  // No change that a gateway knows: everything may have changed.
  if (restored) publisher.publish(JSON.stringify({ kind: 'restored' }))
  return { ...publisher, notifyKeyChange }
}

function readServiceSettings() {
  return readSettings(declared, process.env, (given) => [
    ...metricsPortTaken(given),
    ...rateContradictions(given),
    ...oidcContradictions(given),
    ...mailContradictions(given),
    ...fileContradictions(given),
    ...certificateContradictions(given),
    ...replicaContradictions(given),
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
