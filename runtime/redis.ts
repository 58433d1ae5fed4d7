// How every connection to Redis behaves: commands fail at once while it is away, and it reconnects for ever.
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { redisAddress, type SentinelAddress } from './redis-address.ts'

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
  // What was the first server is a replica now, and its connections stay.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
}

/** `url` is one that the setting REDIS_URL takes. */
export function openRedis(url: string, timeouts: Timeouts = {}): Redis | Cluster {
  const address = redisAddress(url)
  if (address === null) throw new Error('This is no address of Redis')
  if (address.kind === 'one') return new Redis(address.url, { ...always, ...timeouts })
  const { nodes, credentials, isTls } = address
  const options = { ...always, ...timeouts, ...credentials, ...(isTls ? { tls: {} } : {}) }
  if (address.kind === 'sentinel') return new Redis({ ...options, ...overSentinels(address) })
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

function overSentinels({ nodes, name, database, sentinelPassword, isTls }: SentinelAddress) {
  return {
    sentinels: [...nodes],
    name,
    db: database,
    failoverDetector: true,
    sentinelRetryStrategy: pauseMs,
    sentinelReconnectStrategy: pauseMs,
    sentinelCommandTimeout: connectTimeoutMs,
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(isTls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  }
}

// Short messages to every process that subscribes, over Redis pub/sub. Redis keeps nothing: a subscriber that was away has
// missed them. So this is for what a process learns sooner or later anyway, and better sooner.

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
  const pings = pingEverySecond(redis)
  const unpublished = new Set<string>()
  redis.on('error', onError)
  redis.on('ready', () => unpublished.forEach(publish))

  function publish(text: string): void {
    redis.publish(channel, text).then(
      () => unpublished.delete(text),
      () => unpublished.size < unpublishedMax && unpublished.add(text),
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
      () => redis.disconnect(true),
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
const pingEverySecond = (redis: Redis | Cluster): NodeJS.Timeout => setInterval(() => void ping(redis), pingEveryMs)

async function ping(redis: Redis | Cluster): Promise<void> {
  if (redis.status !== 'ready') return
  const answered = await Promise.race([
    redis.ping().then(
      () => true,
      () => false,
    ),
    noAnswer(),
  ])
  if (!answered) redis.disconnect(true)
}

const noAnswer = (): Promise<false> => new Promise((resolve) => setTimeout(resolve, commandTimeoutMs, false).unref())
