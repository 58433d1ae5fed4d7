// The service process: settings → database, broker, Redis → HTTP.
import { keyChangeChannel } from '#contract/principal.ts'
import { openDatabase } from '#prisma/client.ts'
import { proveSecret } from '#prisma/installation.ts'
import { assertMigrated } from '#prisma/migrate.ts'
import { ranges } from '#runtime/ip-address.ts'
import { openPublisher } from '#runtime/broker.ts'
import { namesFor } from '#runtime/broker-connection.ts'
import { brokerLog } from '#runtime/broker-log.ts'
import { openAnnouncer } from '#runtime/redis-pub-sub.ts'
import { closeServer } from '#runtime/close-server.ts'
import { drainFor } from '#runtime/drain.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { openAccess } from './execution/database-slots.ts'
import { keepHouse } from './background-work.ts'
import { openNews } from './events/event-notifier.ts'
import { tellReadiness } from './readiness.ts'
import { buildService } from './server.ts'
import { settings as declared } from './settings.ts'

const callsEndWithinMs = 18_000
const partClosesWithinMs = 20_000

await run('service', async (log) => {
  const settings = readSettings(declared)
  const database = await openDatabase({
    url: settings.databaseUrl,
    connections: settings.databasePool,
    application: 'service',
  })
  await assertMigrated(database.db)
  await proveSecret(database.db, settings.internalSecret, settings.internalSecretChanged)
  const broker = await openPublisher(settings.amqpUrl, namesFor(settings.brand), brokerLog(log))
  const announcer = openAnnouncer(settings.redisUrl, keyChangeChannel(settings.brand), (err) =>
    log.warn({ err }, 'redis'),
  )
  const news = openNews(database.db, broker.publish, log)
  const { begin: drain, isDraining: isStopping } = drainFor(settings.drainSeconds)
  const reached = {
    isStopping,
    database: () => !database.isAway(),
    redis: announcer.isConnected,
    broker: broker.isConnected,
  }
  const access = openAccess(settings.databasePool)
  const app = buildService({
    access,
    reached,
    db: database.db,
    internalSecret: settings.internalSecret,
    allowedTargets: { ranges: ranges(settings.webhookAllowCidrs), http: settings.webhookAllowHttp },
    news,
    announceKeyChange: (change) => announcer.announce(JSON.stringify(change)),
    log,
  })
  await app.listen({ host: settings.host, port: settings.port })
  const house = keepHouse({ ...news, access, db: database.db }, (err) =>
    log.warn({ err }, 'housekeeping failed, trying again later'),
  )
  const telling = tellReadiness(reached, log)
  const server = { close: () => closeServer(app, callsEndWithinMs) }
  const close = () => closeAll([database, announcer, broker, house, telling, server, news], partClosesWithinMs)
  return { drain, close }
})
