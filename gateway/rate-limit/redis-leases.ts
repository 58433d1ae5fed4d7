// Leases over a real Redis: the connection, which never makes a call wait, the clock-work behind, and how many gateways
// there are.
import type { Cluster, Redis, Result } from 'ioredis'
import { openRedis } from '#runtime/redis.ts'
import { leasedBuckets, monotonicUs, type LeasedBuckets } from './leased-buckets.ts'
import { openQuestions, type Question, type Questions } from './lease-questions.ts'
import {
  announceScript,
  answersIn,
  argumentsOf,
  countedAlone,
  leaseScript,
  neverHeard,
  recoversInUs,
} from './lease-script.ts'
import { gatewayCount, type GatewayCount } from './gateway-count.ts'

declare module 'ioredis' {
  // The commands that `withScripts` defines.
  interface RedisCommander<Context> {
    leaseTokens(keys: number, ...rest: readonly (string | number)[]): Result<number[], Context>
    announceGateway(keys: number, ...rest: readonly (string | number)[]): Result<number[], Context>
  }
}

/** What is counted alone before the first connection is there does not make Redis one that has lost its buckets. */
const opensWithinMs = 5_000
/**
 * A connection on which Redis says nothing for this long is closed; until a new one is open, Redis is not asked. No
 * question has a shorter time of its own: after a pause of this process it would be over before its answer is read, and
 * what Redis has granted would be lost.
 */
const defaultPatience = { waitMs: 20, silenceMs: 250 }
/** How long a call waits for Redis, and after how long without a word its connection is closed. */
export type Patience = typeof defaultPatience
const announceEveryMs = 1_000
/** While Redis is away. */
const lookEveryMs = 100
const giveBackEveryMs = 250
const closesWithinMs = 100
/** When every call fails, one error is reported per second. */
const errorEveryMs = 1_000

export type LeaseFigures = {
  /** Redis is away, or has just come back without its buckets: this gateway counts its share alone. */
  readonly isAlone: boolean
  /** Calls that were counted so, since the start. */
  readonly countedAlone: number
  /** Gateways alive when last heard of, this one included. */
  readonly gateways: number
  /** Scripts run in Redis since the start. */
  readonly redisCalls: number
}
export type RedisLeases = Pick<LeasedBuckets, 'consume' | 'charge'> & {
  figures(): LeaseFigures
  close(): Promise<void>
}

export function openRedisLeases(
  url: string,
  prefix: string,
  onError: (error: Error) => void,
  { waitMs, silenceMs }: Patience = defaultPatience,
): RedisLeases {
  const redis = withScripts(openRedis(url, { socketTimeout: silenceMs }))
  const report = throttled(onError)
  redis.on('error', report)
  const name = (bucket: string) => `${hashTag(prefix)}.${bucket}`
  const [sinceKey, liveKey] = [name('since'), name('live')]
  const me = crypto.randomUUID()
  const gateways = gatewayCount()
  const openedAt = performance.now()
  const state = redisState()
  const hasCountedLong = () => buckets.countedAlone() > 0 && performance.now() - openedAt > opensWithinMs

  const known = () => (state.since() < 0 && hasCountedLong() ? countedAlone : state.since())

  async function send(asked: readonly Question[]) {
    const keys = asked.flatMap(({ wants }) => wants.map((want) => name(want.name)))
    const args = argumentsOf(asked, known(), gateways.count())
    const numbers = await redis.leaseTokens(keys.length + 1, sinceKey, ...keys, ...args)
    state.learn(numbers)
    return answersIn(numbers, asked)
  }
  const isConnected = () => redis.status === 'ready'
  const knowsBuckets = () => isConnected() && state.knowsBuckets()
  const questions = openQuestions({ send, waitMs, isConnected: knowsBuckets, onError: report })
  const buckets = leasedBuckets({ questions, gateways: gateways.count, lostAtUs: state.lostAtUs })

  async function announce(): Promise<void> {
    if (!isConnected()) return
    const numbers = await redis.announceGateway(2, sinceKey, liveKey, known(), me)
    state.learn(numbers)
    gateways.heard(numbers[2] ?? 1, performance.now())
    questions.heard()
  }
  let announcedAt = -Infinity
  const announcing = setInterval(() => {
    const now = performance.now()
    if (!questions.isAway() && now - announcedAt < announceEveryMs) return
    announcedAt = now
    announce().catch(report)
  }, lookEveryMs)
  const givingBack = setInterval(buckets.giveBackIdle, giveBackEveryMs)
  redis.on('ready', () => void announce().catch(report))

  async function close(): Promise<void> {
    clearInterval(announcing)
    clearInterval(givingBack)
    buckets.giveBackAll()
    const left = isConnected() ? redis.zrem(liveKey, me).catch(() => 0) : 0
    const late = new Promise((resolve) => setTimeout(resolve, closesWithinMs).unref())
    await Promise.race([Promise.all([questions.flush(), left]), late])
    redis.disconnect()
  }
  return { ...buckets, figures: () => figuresOf(questions, buckets, gateways), close }
}

/** What Redis has said of since when it knows all buckets. */
function redisState() {
  let since = neverHeard
  let recoversAtUs = -Infinity
  let lostAtUs = -Infinity
  return {
    since: () => since,
    lostAtUs: () => lostAtUs,
    knowsBuckets: () => monotonicUs() >= recoversAtUs,
    /** `numbers`: what either script has returned. */
    learn(numbers: readonly number[]): void {
      const now = monotonicUs()
      if (since > 0 && numbers[0] !== since) lostAtUs = now
      since = numbers[0] ?? since
      recoversAtUs = now + recoversInUs(numbers)
    },
  }
}

const figuresOf = (
  { isAway, sent }: Questions,
  { countedAlone }: LeasedBuckets,
  { count }: GatewayCount,
): LeaseFigures => ({
  isAlone: isAway(),
  countedAlone: countedAlone(),
  gateways: count(),
  redisCalls: sent(),
})

/**
 * In a Redis Cluster the braces decide in which slot a key lies, and a script may only touch keys of one slot. A call
 * takes from its key's bucket and its workspace's, and a key may act in many workspaces: so all buckets share one slot.
 */
const hashTag = (prefix: string): string => `{${prefix}}`

/** Defines the commands `leaseTokens` and `announceGateway` on this connection. */
export function withScripts<R extends Redis | Cluster>(redis: R, clock?: string): R {
  redis.defineCommand('leaseTokens', { lua: leaseScript(clock) })
  redis.defineCommand('announceGateway', { lua: announceScript(clock) })
  return redis
}

function throttled(onError: (error: Error) => void): (error: Error) => void {
  let reportedAt = -Infinity
  return (error) => {
    if (performance.now() - reportedAt < errorEveryMs) return
    reportedAt = performance.now()
    onError(error)
  }
}
