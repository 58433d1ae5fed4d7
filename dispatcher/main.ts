// The dispatcher process: settings → database, broker → deliveries. Its port answers health checks and nothing else.
import { logPooler, openDatabase } from '#prisma/client.ts'
import { assertSecret, matchesProof, proofKey, reportSealingKeys, webhookKeyring } from '#prisma/sealing-rows.ts'
import { assertCurrent } from '#prisma/installation-clock.ts'
import { assertNotImporting } from '#prisma/installation-rows.ts'
import { assertMigrated } from '#prisma/migrate.ts'
import { ranges } from '#runtime/ip-address.ts'
import { brokerAt } from '#runtime/broker-connection.ts'
import { openConsumer } from '#runtime/broker-consumer.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { metricsPortTaken, serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { openTracing } from '#runtime/tracing/tracing.ts'
import { unackedMax } from './fan-out/consumer.ts'
import { startDispatcher } from './dispatcher.ts'
import { serveHealth } from './health-endpoints.ts'
import { settings as declared } from './settings.ts'

// A dispatcher that is frozen in a transaction keeps its rows from the others for no longer than this.
const idleInTransactionMs = 5_000
// Deliveries in flight are waited for.
const closeWithinMs = 19_000

await run('dispatcher', async (log) => {
  const settings = readSettings(declared, process.env, (given) => metricsPortTaken(given))
  const traces = await openTracing(settings)
  const database = await openDatabase({
    url: settings.databaseUrl,
    connections: settings.databasePool,
    application: 'dispatcher',
    idleInTransactionMs,
    byIndexOnly: true,
  })
  logPooler(database, log)
  await assertMigrated(database.db)
  await assertNotImporting(database.db)
  await assertSecret(database.db, settings)
  await assertCurrent(database.db, settings)
  const broker = brokerAt(settings.amqpUrl)
  const names = namesFor(settings.brand, settings.amqpQueueType)
  const webhookKeys = webhookKeyring(settings)
  await reportSealingKeys(database.db, webhookKeys, log)
  const dispatcher = await startDispatcher({
    db: database.db,
    subscribe: (onMessage, onState) => openConsumer(broker, names, unackedMax, onMessage, onState),
    brand: settings.brand,
    keyring: webhookKeys,
    allowed: ranges(settings.webhookAllowCidrs),
    allowHttp: settings.webhookAllowHttp,
    hostRequestsPerSecond: settings.webhookHostPerSecond,
    egressProxy: settings.webhookProxy,
    isOwnPort: (port) => port === settings.port || port === settings.metricsPort,
    scheduleSeconds: settings.retrySchedule,
    tracing: traces.tracing,
    log,
  })
  const key = proofKey(settings)
  const health = await serveHealth(settings, {
    holdsSecret: () => matchesProof(database.db, key),
    isConnected: dispatcher.isConnected,
    missingKeys: dispatcher.missingKeys,
    isClosing: dispatcher.isClosing,
  })
  const metrics = await serveMetrics(settings, [dispatcher.metrics])
  return { close: () => closeAll([traces, metrics, database, health, dispatcher], closeWithinMs) }
})
