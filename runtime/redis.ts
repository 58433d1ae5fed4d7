// Connections to Redis, and short messages over its pub/sub to every process that subscribes. Commands fail at once
// while Redis is away, and a connection reconnects for ever. Redis keeps no message: a subscriber that was away has
// missed them. So pub/sub is for what a process learns sooner or later anyway, and better sooner.
import { Cluster, Redis, ReplyError, type RedisOptions } from 'ioredis'
import { certificateRefusal, readAuthorities } from './certificates.ts'
import type { Log } from './log.ts'
import { redisAddress, type RedisAddress, type SentinelAddress } from './redis-address.ts'

type Timeouts = Pick<RedisOptions, 'commandTimeout' | 'socketTimeout'>

const connectTimeoutMs = 1_000
/** How long after a failover a cluster's new nodes are known at the latest. */
const refreshEveryMs = 1_000
/** The pause before a reconnect. */
const pauseMs = (attempt: number): number => Math.min(100 * attempt, 1_000)

const always = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: connectTimeoutMs,
  retryStrategy: pauseMs,
  // What was the first server is a replica now, and its connections stay. Of a script the code may be further back.
  reconnectOnError: (error: Error) => error.message.includes('READONLY '),
}

/**
 * `url` is one that the setting REDIS_URL takes. Throws a StartupError where the file of authorities cannot be used.
 */
export function openRedis(url: string, timeouts: Timeouts = {}): Redis | Cluster {
  const address = redisAddress(url)
  if (address === null) throw new Error('This is no address of Redis')
  const trust = trustIn(address)
  const common = { ...always, ...timeouts, ...(address.isTls ? { tls: trust } : {}) }
  if (address.kind === 'one') return new Redis(address.url, common)
  const { nodes, credentials } = address
  const options = { ...common, ...credentials }
  if (address.kind === 'sentinel') return new Redis({ ...options, ...overSentinels(address, trust) })
  return new Cluster([...nodes], {
    enableOfflineQueue: false,
    clusterRetryStrategy: pauseMs,
    slotsRefreshTimeout: connectTimeoutMs,
    slotsRefreshInterval: refreshEveryMs,
    // What fails is not sent a second time: its caller goes on without it.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: options,
  })
}

type Trust = { readonly ca?: string }
const trustIn = ({ caFile }: RedisAddress): Trust =>
  caFile === null ? {} : { ca: readAuthorities('cacertfile of REDIS_URL', caFile) }

function overSentinels({ nodes, name, database, sentinelPassword, isTls }: SentinelAddress, trust: Trust) {
  return {
    sentinels: [...nodes],
    name,
    db: database,
    failoverDetector: true,
    sentinelRetryStrategy: pauseMs,
    sentinelReconnectStrategy: pauseMs,
    sentinelCommandTimeout: connectTimeoutMs,
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(isTls ? { sentinelTLS: trust, enableTLSForSentinelMode: true } : {}),
  }
}

export const isReplica = (info: string): boolean => /^role:slave\r?$/m.test(info)
export const replicaMessage = 'REDIS_URL leads to a replica, which takes no writes: it must lead to the first server'

/** What an operator has to mend, in place of the library's own words; null for any other error. */
export function redisRefusal(error: Error): string | null {
  const certificate = certificateRefusal(error)
  if (certificate !== null)
    return `the certificate of Redis is not accepted (${certificate}): see REDIS_URL and its cacertfile`
  if (/^(?:WRONGPASS|NOAUTH)/.test(error.message))
    return 'Redis refuses the login: the user or the password in REDIS_URL is wrong'
  if (error.message.startsWith('NOPERM'))
    return `Redis refuses a command to the user in REDIS_URL: ${error.message.replace(/^NOPERM /, '')}`
  return null
}

export const redisLog =
  (log: Pick<Log, 'warn'>) =>
  (err: Error): void =>
    log.warn({ err }, redisRefusal(err) ?? 'Redis is away')

export type RedisPublisher = { isConnected(): boolean; publish(text: string): void; close(): Promise<void> }
export type RedisSubscriber = { isConnected(): boolean; close(): Promise<void> }

type Subscription = {
  message(text: string): void
  /** Messages come from now on; any that were published before may be lost. */
  connected?(): void
  error(error: Error): void
}

const pingEveryMs = 1_000
const commandTimeoutMs = 1_000
const unpublishedMax = 10_000

/** A message that could not be published is kept, without repeats, and published when Redis is back. */
export function openRedisPublisher(url: string, channel: string, onError: (error: Error) => void): RedisPublisher {
  const redis = openRedis(url, { commandTimeout: commandTimeoutMs })
  const pings = pingEverySecond(redis, async () => {
    if (redis instanceof Cluster || !isReplica(await redis.info('replication'))) return
    // What is published here reaches none of those that listen at the first server.
    onError(new Error(replicaMessage))
    redis.disconnect(true)
  })
  const unpublished = new Set<string>()
  redis.on('error', onError)
  redis.on('ready', () => unpublished.forEach(publish))

  function publish(text: string): void {
    redis.publish(channel, text).then(
      () => unpublished.delete(text),
      (error: Error) => {
        if (error instanceof ReplyError) onError(error)
        if (unpublished.size < unpublishedMax) unpublished.add(text)
      },
    )
  }
  const close = async () => {
    clearInterval(pings)
    redis.disconnect()
  }
  return { isConnected: () => redis.status === 'ready', publish, close }
}

export function openRedisSubscriber(url: string, channel: string, on: Subscription): RedisSubscriber {
  const redis = openRedis(url)
  let connected = false
  redis.on('error', on.error)
  redis.on('message', (_channel, text) => on.message(text))
  redis.on('close', () => (connected = false))
  redis.on('ready', () => {
    redis.subscribe(channel).then(
      () => {
        connected = true
        on.connected?.()
      },
      (error: Error) => {
        on.error(error)
        // A refusal is not asked for again at once.
        setTimeout(() => redis.status === 'ready' && redis.disconnect(true), pingEveryMs).unref()
      },
    )
  })
  const pings = pingEverySecond(redis)
  const close = async () => {
    clearInterval(pings)
    redis.disconnect()
  }
  return { isConnected: () => connected, close }
}

// A Redis that hangs keeps its sockets open: only a ping without an answer tells.
const pingEverySecond = (redis: Redis | Cluster, alsoLook: () => Promise<void> = async () => {}): NodeJS.Timeout =>
  setInterval(() => {
    void ping(redis).then((answered) => (answered ? alsoLook().catch(() => {}) : redis.disconnect(true)))
  }, pingEveryMs)

async function ping(redis: Redis | Cluster): Promise<boolean> {
  if (redis.status !== 'ready') return true
  const answered = redis.ping().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, noAnswer()])
}

const noAnswer = (): Promise<false> => new Promise((resolve) => setTimeout(resolve, commandTimeoutMs, false).unref())
