// Short messages to every process that subscribes, over Redis pub/sub. Redis keeps nothing: a subscriber that was away has
// missed them. So this is for what a process learns sooner or later anyway, and better sooner.
import type { Cluster, Redis } from 'ioredis'
import { openRedis } from './redis-connection.ts'

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
