// One short message to every process that listens, over Redis pub/sub. Redis keeps nothing: a listener that was away has
// missed what was said. So this is for what is known sooner or later anyway, and better sooner.
import { Redis } from 'ioredis'

export type Announcer = { isConnected(): boolean; announce(text: string): void; close(): Promise<void> }
export type Listener = { isConnected(): boolean; close(): Promise<void> }

const pingEveryMs = 1_000
const commandTimeoutMs = 1_000
const unsentMax = 10_000
const connection = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: commandTimeoutMs,
  retryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
} as const

/** What could not be said is kept, without repeats, and said when Redis is back. */
export function openAnnouncer(url: string, channel: string, onError: (error: Error) => void): Announcer {
  const redis = new Redis(url, { ...connection, commandTimeout: commandTimeoutMs })
  const pings = pingEverySecond(redis)
  const unsent = new Set<string>()
  redis.on('error', onError)
  redis.on('ready', () => unsent.forEach(say))

  function say(text: string): void {
    redis.publish(channel, text).then(
      () => unsent.delete(text),
      () => unsent.size < unsentMax && unsent.add(text),
    )
  }
  const close = async () => {
    clearInterval(pings)
    redis.disconnect()
  }
  return { isConnected: () => redis.status === 'ready', announce: say, close }
}

export function openListener(
  url: string,
  channel: string,
  on: { message(text: string): void; error(error: Error): void },
): Listener {
  const redis = new Redis(url, connection)
  let connected = false
  redis.on('error', on.error)
  redis.on('message', (_channel, text) => on.message(text))
  redis.on('close', () => (connected = false))
  redis.on('ready', () => {
    redis.subscribe(channel).then(
      () => (connected = true),
      () => redis.disconnect(true),
    )
  })
  const pings = pingEverySecond(redis)
  const stop = async () => {
    clearInterval(pings)
    redis.disconnect()
  }
  return { isConnected: () => connected, close: stop }
}

// A Redis that hangs keeps its sockets open: only an unanswered ping tells.
const pingEverySecond = (redis: Redis): NodeJS.Timeout => setInterval(() => void ping(redis), pingEveryMs)

async function ping(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') return
  const answered = await Promise.race([
    redis.ping().then(
      () => true,
      () => false,
    ),
    silence(),
  ])
  if (!answered) redis.disconnect(true)
}

const silence = (): Promise<false> => new Promise((resolve) => setTimeout(resolve, commandTimeoutMs, false).unref())
