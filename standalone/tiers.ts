// The three tiers in one process, with the code that they run in three. Each server without an address is embedded.
import { defaultRates } from '#contract/rate-limits.ts'
import type { AddressInfo } from 'node:net'
import type { Database, OpenedDatabase } from '#prisma/client.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import type { QueueType } from '#runtime/broker-names.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { SealingKey } from '#runtime/keyring.ts'
import type { Log } from '#runtime/log.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { closeAll, type Part } from '#runtime/process.ts'
import type { Tracing } from '#runtime/tracing/tracing.ts'
import type { EgressProxy } from '../dispatcher/attempt/egress-proxy.ts'
import { startDispatcher } from '../dispatcher/dispatcher.ts'
import { startGateway, type Gateway } from '../gateway/server.ts'
import { openDatabaseSlots } from '../service/execution/database-slots.ts'
import { runBackgroundWork } from '../service/background-work.ts'
import { recorders } from '../service/handlers.ts'
import { openEventNotifier } from '../service/ledger/event-notifier.ts'
import { logReadinessChanges } from '../service/readiness.ts'
import type { Price, Rates } from '../gateway/rate-limit/limiter.ts'
import type { OidcConfig } from '../service/identity/oidc/settings.ts'
import type { FileStore } from '../service/files/store.ts'
import { openMail, type Mail } from '../service/open-mail.ts'
import type { MailConfig } from '../service/mail/settings.ts'
import { resealing } from '../service/webhooks/signing-secrets.ts'
import { buildService, type Service, type ServiceDeps } from '../service/server.ts'
import { openBroker, openSharedState } from './messaging.ts'

export type Settings = {
  readonly host: string
  readonly port: number
  readonly redisUrl: string | null
  readonly amqpUrl: string | null
  readonly amqpQueueType?: QueueType
  readonly internalSecret: string
  readonly acceptedSecret?: string | null
  readonly sealingKeys?: readonly SealingKey[]
  readonly operatorToken: string
  readonly acceptedOperatorToken?: string | null
  readonly brand: string
  readonly trustedProxies: readonly string[]
  readonly publicUrl: string | null
  readonly allowedOrigins: readonly string[]
  readonly webhookAllowCidrs: readonly string[]
  readonly webhookAllowHttp: boolean
  readonly webhookHostPerSecond: number
  readonly webhookProxy?: EgressProxy | null
  readonly metricsPort?: number | null
  readonly retrySchedule: readonly number[]
  /** Connections to Postgres; with the embedded database, how many calls may use it at once. */
  readonly databasePool: number
  readonly readTimeoutSeconds?: number
  readonly rates?: Rates
  /** What the database time of calls costs their keys. Left out: nothing. */
  readonly price?: Price
  readonly failedCredentialsPerMinute: number
  readonly apiLogReadsPerSecond?: number
  readonly apiLogOthersPerSecond?: number
  readonly drainSeconds?: number
  readonly fileStore: FileStore
  readonly fileBytesMax?: number
  readonly deletionGraceDays?: number
  readonly oidc?: OidcConfig | null
  readonly mail?: MailConfig | null
  /** For tests. */
  readonly mailPatience?: Parameters<typeof openMail>[1]['patience']
  readonly tracing?: Tracing | null
  /** For the conformance tests of MCP, which need fixtures. */
  readonly mcpFeatures?: ServiceDeps['mcpFeatures']
}
export type Tiers = Part & Pick<Gateway, 'url' | 'drain'> & { readonly metrics: readonly MetricSource[] }

// Gateway and dispatcher wait for the calls and attempts that are running.
const partClosesWithinMs = 21_000

/** Only the gateway is asked to stop. The service serves it until the gateway has closed. */
const neverStopping = { isStopping: () => false }
const alwaysThere = { isAway: () => false, isFull: () => false, poolUsage: () => null }

export async function startTiers(
  settings: Settings,
  db: Database,
  log: Log,
  { isAway, isFull, poolUsage }: Pick<OpenedDatabase, 'isAway' | 'isFull' | 'poolUsage'> = alwaysThere,
): Promise<Tiers> {
  const opened: Part[] = []
  function open<P extends Part>(part: P): P {
    opened.push(part)
    return part
  }
  try {
    const broker = await openBroker(settings, log, open)
    const shared = openSharedState(settings, log, open)
    const dependencies = {
      ...neverStopping,
      database: () => !isAway(),
      storage: () => !isFull(),
      redis: shared.isConnected,
      broker: broker.isConnected,
    }
    const { notifyKeyChange } = shared
    const given = {
      settings,
      db,
      log,
      notifyKeyChange,
      eventNotifier: open(openEventNotifier(db, broker.publish, log)),
    }
    const slots = openDatabaseSlots(settings.databasePool)
    const mail = openMail(settings.mail ?? null, { db, log, secrets: settings, patience: settings.mailPatience })
    if (mail !== null) open(mail)
    const service = await startService({ ...given, mail, slots, poolUsage, dependencies }, open)
    open(startBackgroundWork({ ...given, mail, slots, execute: service.execute }))
    open(logReadinessChanges(dependencies, log))
    const ownPorts = new Set([service.port, settings.metricsPort])
    const isOwnPort = (port: number) => ownPorts.has(port)
    const dispatcher = open(
      await startDispatcher({ ...dispatching(settings), db, log, subscribe: broker.subscribe, isOwnPort }),
    )
    const services = [`http://127.0.0.1:${service.port}`]
    const gateway = open(await startGateway({ ...settings, ...shared.ofGateway, log, services }))
    ownPorts.add(Number(new URL(gateway.url).port))
    // Callers who wait for events are answered before the gateway waits for their calls.
    return {
      url: gateway.url,
      drain: gateway.drain,
      metrics: [gateway.metrics, service.metrics, dispatcher.metrics],
      close: () => closeAll([...opened, given.eventNotifier], partClosesWithinMs),
    }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

type Given = Pick<ServiceDeps, 'db' | 'log' | 'slots' | 'notifyKeyChange'> & {
  readonly settings: Settings
  readonly eventNotifier: ReturnType<typeof openEventNotifier>
}

/** On the loopback interface, at a port that the system chooses and only the gateway knows. */
async function startService(
  { settings, ...given }: Given & Pick<ServiceDeps, 'poolUsage' | 'dependencies'> & { readonly mail: Mail | null },
  open: (part: Part) => Part,
): Promise<{ readonly port: number } & Pick<Service, 'metrics' | 'execute'>> {
  const { app, metrics, execute } = buildService({
    ...settings,
    ...given,
    rates: settings.rates ?? defaultRates,
    allowedTargets: { ranges: ranges(settings.webhookAllowCidrs), http: settings.webhookAllowHttp },
  })
  open(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: (app.server.address() as AddressInfo).port, metrics, execute }
}

type Working = Given & Pick<Service, 'execute'> & { readonly mail: Mail | null }

const startBackgroundWork = ({ settings, log, eventNotifier, ...given }: Working): Part =>
  runBackgroundWork(
    {
      ...given,
      fileStore: settings.fileStore,
      ...recorders,
      reseal: resealing(given.db, webhookKeyring(settings), log),
      notifyEvents: eventNotifier.notifyEvents,
    },
    (err) => log.warn({ err }, 'background work failed, trying again later'),
  )

const dispatching = (settings: Settings) => ({
  brand: settings.brand,
  keyring: webhookKeyring(settings),
  allowed: ranges(settings.webhookAllowCidrs),
  allowHttp: settings.webhookAllowHttp,
  hostRequestsPerSecond: settings.webhookHostPerSecond,
  egressProxy: settings.webhookProxy ?? null,
  scheduleSeconds: settings.retrySchedule,
  tracing: settings.tracing ?? null,
})
