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
