// All three tiers in one process, with the same code as in three. What is not given as an address is embedded.
import type { AddressInfo } from 'node:net'
import { keyChangeChannel, type KeyChange } from '#contract/internal/key-changes.ts'
import type { Database } from '#prisma/client.ts'
import { ranges } from '#runtime/ip-address.ts'
import { openConsumer, openPublisher } from '#runtime/broker.ts'
import { namesFor } from '#runtime/broker-connection.ts'
import { brokerLog } from '#runtime/broker-log.ts'
import { openAnnouncer, openListener } from '#runtime/redis-pub-sub.ts'
import type { Log } from '#runtime/log.ts'
import { closeAll, type Part } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing.ts'
import { unackedMax } from '../dispatcher/fan-out/consumer.ts'
import { startDispatcher, type DispatcherOptions } from '../dispatcher/dispatcher.ts'
import { memoryRateLimiter, redisRateLimiter, standardRates, type Rates } from '../gateway/rate-limit/rate-limiter.ts'
import { startGateway, type Gateway, type GatewayParts } from '../gateway/server.ts'
import { openDatabaseSlots } from '../service/execution/database-slots.ts'
import { runBackgroundWork } from '../service/background-work.ts'
import { recorders } from '../service/recorders.ts'
import { openEventNotifier } from '../service/events/event-notifier.ts'
import type { Publish } from '../service/outbox/publish.ts'
import { tellReadiness } from '../service/readiness.ts'
import { buildService } from '../service/server.ts'
import { handOver, localBroadcast } from './in-process-broker.ts'

export type Settings = {
  readonly host: string
  readonly port: number
  readonly redisUrl: string | null
  readonly amqpUrl: string | null
  readonly internalSecret: string
  readonly operatorToken: string
  readonly brand: string
  readonly trustedProxies: readonly string[]
  readonly webhookAllowCidrs: readonly string[]
  readonly webhookAllowHttp: boolean
  readonly retrySchedule: readonly number[]
  /** Connections to a Postgres; embedded, as many as that lets work at once. */
  readonly databasePool: number
  readonly rates?: Rates
  readonly failedCredentialsPerMinute?: number
  readonly drainSeconds?: number
}
export type Tiers = Part & Pick<Gateway, 'url' | 'drain'>

// A gateway and a dispatcher wait for what runs.
const partClosesWithinMs = 21_000

export async function startTiers(
  settings: Settings,
  db: Database,
  log: Log,
  isDatabaseAway = () => false,
): Promise<Tiers> {
  const opened: Part[] = []
  const open = <P extends Part>(part: P): P => (opened.push(part), part)
  try {
    const broker = await brokerOf(settings, log, open)
    const shared = openSharedState(settings, log, open)
    const allowedTargets = { ranges: ranges(settings.webhookAllowCidrs), http: settings.webhookAllowHttp }
    const eventNotifier = open(openEventNotifier(db, broker.publish, log))
    // It is the gateway that is told to stop: until that has ended, the service is there for it.
    const isStopping = () => false
    const reached = {
      isStopping,
      database: () => !isDatabaseAway(),
      redis: shared.isConnected,
      broker: broker.isConnected,
    }
    const slots = openDatabaseSlots(settings.databasePool)
    const service = open(
      buildService({
        ...settings,
        db,
        slots,
        log,
        allowedTargets,
        reached,
        eventNotifier,
        notifyKeyChange: shared.notify,
      }),
    )
    // Inside, on a port that the system chooses: only the gateway knows it.
    await service.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.server.address() as AddressInfo
    const changes = {
      ...{ db, slots, ...recorders },
      ...{ notifyEvents: eventNotifier.notifyEvents, notifyKeyChange: shared.notify },
    }
    open(runBackgroundWork(changes, (err) => log.warn({ err }, 'background work failed, trying again later')))
    open(tellReadiness(reached, log))
    open(await startDispatcher({ ...settings, db, log, subscribe: broker.subscribe, ...dispatching(settings) }))
    const services = [`http://127.0.0.1:${port}`]
    const gateway = open(
      await startGateway({ ...settings, log, services, rateLimiter: shared.rateLimiter, listen: shared.listen }),
    )
    // Callers who wait for events are answered before the gateway waits for their calls.
    return {
      url: gateway.url,
      drain: gateway.drain,
      close: () => closeAll([...opened, eventNotifier], partClosesWithinMs),
    }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

const dispatching = (settings: Settings) => ({
  secretsKey: deriveKey(settings.internalSecret, 'webhook-secrets'),
  allowed: ranges(settings.webhookAllowCidrs),
  allowHttp: settings.webhookAllowHttp,
  scheduleSeconds: settings.retrySchedule,
})

type Open = <P extends Part>(part: P) => P
type Broker = { readonly publish: Publish; readonly isConnected: () => boolean } & Pick<DispatcherOptions, 'subscribe'>

async function brokerOf({ amqpUrl, brand }: Settings, log: Log, open: Open): Promise<Broker> {
  if (amqpUrl === null) return { ...handOver(), isConnected: () => true }
  const publisher = open(await openPublisher(amqpUrl, namesFor(brand), brokerLog(log)))
  return {
    publish: publisher.publish,
    isConnected: publisher.isConnected,
    subscribe: (onMessage, onChange) => openConsumer(amqpUrl, namesFor(brand), unackedMax, onMessage, onChange),
  }
}

function openSharedState({ redisUrl, brand, rates = standardRates }: Settings, log: Log, open: Open) {
  if (redisUrl === null) {
    const broadcast = localBroadcast()
    const { listen, announce } = broadcast
    return { rateLimiter: memoryRateLimiter(rates), listen, notify: asJson(announce), isConnected: () => true }
  }
  const error = (err: Error) => log.warn({ err }, 'Redis is away')
  const channel = keyChangeChannel(brand)
  const announcer = open(openAnnouncer(redisUrl, channel, error))
  return {
    rateLimiter: redisRateLimiter(redisUrl, brand, rates, error),
    listen: (on: Parameters<GatewayParts['listen']>[0]) => openListener(redisUrl, channel, { ...on, error }),
    notify: asJson(announcer.announce),
    isConnected: announcer.isConnected,
  }
}

const asJson = (announce: (text: string) => void) => (change: KeyChange) => announce(JSON.stringify(change))
