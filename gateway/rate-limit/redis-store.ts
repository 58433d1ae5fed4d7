// The buckets of all gateways in one Redis. Requests for tokens are gathered: those of one moment go in one script
// (redis-script.ts). No call waits longer than 20 ms for the answer; after that, and while there is no connection,
// Redis counts as away until it says something again. It also tells how many gateways there are.
import type { Cluster, Redis, Result } from 'ioredis'
import { openRedis } from '#runtime/redis.ts'
import {
  announceScript,
  answersIn,
  argumentsOf,
  callTimeoutUs,
  countedLocally,
  neverHeard,
  recoversInUs,
  reserveScript,
  type GroupAnswer,
  type RequestGroup,
} from './redis-script.ts'

declare module 'ioredis' {
  // The commands that `withScripts` defines.
  interface RedisCommander<Context> {
    reserveTokens(keys: number, ...rest: readonly (string | number)[]): Result<number[], Context>
    announceGateway(keys: number, ...rest: readonly (string | number)[]): Result<number[], Context>
  }
}

export type RedisStore = {
  isAway(): boolean
  request(group: RequestGroup): void
  /**
   * `collect` requests what no call waits for: when something is sent next, or a while after, less where it is needed
   * soon.
   */
  gather(collect: () => void, isNeededSoon: boolean): void
  /** Alive when last heard of, this one included. */
  gateways(): number
  /** When Redis was last found to have lost its buckets. */
  lostAtUs(): number
  /** Scripts run in Redis since the start. */
  scriptsRun(): number
  /** Sends what is gathered, and is no longer counted. */
  close(): Promise<void>
}
export type RedisStoreDeps = {
  readonly url: string
  /** Of the names of its keys. */
  readonly prefix: string
  readonly nowUs: () => number
  /** Tokens were counted by this gateway itself. */
  hasCountedLocally(): boolean
  onError(error: Error): void
  readonly timeouts?: RedisTimeouts | undefined
}

/**
 * A connection on which Redis says nothing for this long is closed; until a new one is open, Redis is not asked. No
 * request has a shorter time of its own: after a pause of this process it would be over before its answer is read, and
 * what Redis has granted would be lost.
 */
const silenceMs = 250
/** How long a call waits for Redis, and after how long without a word its connection is closed. */
export type RedisTimeouts = { readonly callMs: number; readonly silenceMs: number }
const defaultTimeouts: RedisTimeouts = { callMs: callTimeoutUs / 1_000, silenceMs }

/** What is counted here before the first connection is there does not make Redis one that has lost its buckets. */
const opensWithinMs = 5_000
const announceEveryMs = 1_000
/** While Redis is away. */
const lookEveryMs = 100
const closesWithinMs = 100
/** When every call fails, one error is reported per second. */
const errorEveryMs = 1_000

export function openRedisStore(deps: RedisStoreDeps): RedisStore {
  const { url, prefix, nowUs, hasCountedLocally, timeouts = defaultTimeouts } = deps
  const redis = withScripts(openRedis(url, { socketTimeout: timeouts.silenceMs }))
  const report = throttled(deps.onError)
  redis.on('error', report)
  const name = (bucket: string) => `${hashTag(prefix)}.${bucket}`
  const [sinceKey, liveKey] = [name('since'), name('live')]
  const ownId = crypto.randomUUID()
  const gateways = gatewayCount()
  const openedAt = performance.now()
  const state = redisState(nowUs)
  const hasCountedLong = () => hasCountedLocally() && performance.now() - openedAt > opensWithinMs
  const known = () => (state.since() < 0 && hasCountedLong() ? countedLocally : state.since())

  async function send(groups: readonly RequestGroup[]): Promise<readonly GroupAnswer[]> {
    const keys = groups.flatMap(({ requests }) => requests.map((request) => name(request.name)))
    const args = argumentsOf(groups, known(), gateways.count())
    const numbers = await redis.reserveTokens(keys.length + 1, sinceKey, ...keys, ...args)
    state.heard(numbers)
    return answersIn(numbers, groups)
  }
  const isConnected = () => redis.status === 'ready'
  const knowsBuckets = () => isConnected() && state.knowsBuckets()
  const requests = gatheredRequests({ send, callMs: timeouts.callMs, isConnected: knowsBuckets, onError: report })

  async function announce(): Promise<void> {
    if (!isConnected()) return
    const numbers = await redis.announceGateway(2, sinceKey, liveKey, known(), ownId)
    state.heard(numbers)
    gateways.heard(numbers[2] ?? 1, performance.now())
    requests.heard()
  }
  let announcedAt = -Infinity
  const announcing = setInterval(() => {
    const now = performance.now()
    if (!requests.isAway() && now - announcedAt < announceEveryMs) return
    announcedAt = now
    announce().catch(report)
  }, lookEveryMs)
  redis.on('ready', () => {
    announce().catch(report)
  })

  async function close(): Promise<void> {
    clearInterval(announcing)
    const left = isConnected() ? redis.zrem(liveKey, ownId).catch(() => 0) : 0
    const late = new Promise((resolve) => setTimeout(resolve, closesWithinMs).unref())
    await Promise.race([Promise.all([requests.flush(), left]), late])
    redis.disconnect()
  }
  return {
    isAway: requests.isAway,
    request: requests.add,
    gather: requests.gather,
    gateways: gateways.count,
    lostAtUs: state.lostAtUs,
    scriptsRun: requests.sent,
    close,
  }
}

/** What Redis has said of since when it knows all buckets. */
function redisState(nowUs: () => number) {
  let since = neverHeard
  let recoversAtUs = -Infinity
  let lostAtUs = -Infinity
  return {
    since: () => since,
    lostAtUs: () => lostAtUs,
    knowsBuckets: () => nowUs() >= recoversAtUs,
    /** `numbers`: what either script has returned. */
    heard(numbers: readonly number[]): void {
      const now = nowUs()
      if (since > 0 && numbers[0] !== since) lostAtUs = now
      since = numbers[0] ?? since
      recoversAtUs = now + recoversInUs(numbers)
    },
  }
}

export type GatewayCount = { heard(alive: number, nowMs: number): void; count(): number }

const believedAfterMs = 4_000

/**
 * How many gateways are alive, as Redis last said. Fewer are believed only once it was said for a while: when Redis
 * comes back empty, the first to announce itself finds no others, and those may still be about to reconnect.
 */
export function gatewayCount(): GatewayCount {
  let count = 1
  let fewer: { readonly sinceMs: number; readonly most: number } | null = null

  function heard(alive: number, nowMs: number): void {
    if (alive < count) fewer = { sinceMs: fewer?.sinceMs ?? nowMs, most: Math.max(alive, fewer?.most ?? 1) }
    if (alive < count && nowMs - (fewer?.sinceMs ?? nowMs) < believedAfterMs) return
    count = Math.max(alive, fewer?.most ?? 1)
    fewer = null
  }
  return { heard, count: () => count }
}

type GatheringDeps = {
  send(groups: readonly RequestGroup[]): Promise<readonly GroupAnswer[]>
  /** For how long a call waits for an answer. */
  readonly callMs: number
  isConnected(): boolean
  onError(error: Error): void
}

function gatheredRequests({ send, callMs, isConnected, onError }: GatheringDeps) {
  let waiting: RequestGroup[] = []
  let isSilent = false
  let sent = 0
  let immediate: NodeJS.Immediate | null = null
  const collector = openCollector(() => {
    void sendAll()
  })

  async function sendAll(): Promise<void> {
    collector.collect()
    if (immediate !== null) clearImmediate(immediate)
    immediate = null
    const groups = waiting
    waiting = []
    await Promise.all(inScripts(groups).map(sendOne))
  }

  async function sendOne(groups: readonly RequestGroup[]): Promise<void> {
    if (!isConnected()) return groups.forEach((group) => group.failed())
    sent++
    let isOver = false
    const onSilence = () => {
      if (isOver) return
      isSilent = true
      for (const group of groups) group.timedOut()
    }
    // After a pause of this process an answer may lie there unread: it is read before the silence is believed.
    const silence = setTimeout(() => setImmediate(onSilence), leftMs(groups, callMs))
    const answers = await send(groups).catch((error: Error) => {
      onError(error)
      return null
    })
    isOver = true
    clearTimeout(silence)
    isSilent = answers === null
    groups.forEach((group, at) => {
      const answer = answers?.[at]
      if (answer === undefined) group.failed()
      else group.answered(answer.lacking, answer.grants)
    })
  }

  return {
    isAway: () => isSilent || !isConnected(),
    add: (group: RequestGroup): void => {
      waiting.push(group)
      immediate ??= setImmediate(() => void sendAll())
    },
    gather: collector.gather,
    /** Redis has answered something. */
    heard: () => {
      isSilent = false
    },
    flush: sendAll,
    sent: () => sent,
  }
}

const gatherMs = { soon: 2, later: 50 }

/** Holds what is to be collected before something is sent. */
function openCollector(flush: () => void) {
  let collected: (() => void) | null = null
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  return {
    gather: (collect: () => void, isNeededSoon: boolean): void => {
      if (collected !== null && (isSoon || !isNeededSoon)) return
      clearTimeout(timer)
      collected = collect
      isSoon = isNeededSoon
      timer = setTimeout(flush, isSoon ? gatherMs.soon : gatherMs.later)
    },
    collect: (): void => {
      clearTimeout(timer)
      const collect = collected
      collected = null
      collect?.()
    },
  }
}

/** Redis does nothing else meanwhile. */
const requestsPerScriptMax = 256

function inScripts(groups: readonly RequestGroup[]): RequestGroup[][] {
  const scripts: RequestGroup[][] = []
  let room = 0
  for (const group of groups) {
    const { length } = group.requests
    if (room < length) {
      scripts.push([])
      room = requestsPerScriptMax
    }
    room -= length
    scripts.at(-1)?.push(group)
  }
  return scripts
}

/** Of the time that the first call may wait. */
function leftMs(groups: readonly RequestGroup[], callMs: number): number {
  const now = performance.now()
  const since = groups.reduce((least, { sinceUs }) => Math.min(least, (sinceUs ?? Infinity) / 1_000), now)
  return Math.max(0, callMs - (now - since))
}

/**
 * In a Redis Cluster the braces decide in which slot a key lies, and a script may only touch keys of one slot. A call
 * takes from its key's bucket and its workspace's, and a key may act in many workspaces: so all buckets share one slot.
 */
const hashTag = (prefix: string): string => `{${prefix}}`

/** Defines the commands `reserveTokens` and `announceGateway` on this connection. */
export function withScripts<R extends Redis | Cluster>(redis: R, clock?: string): R {
  redis.defineCommand('reserveTokens', { lua: reserveScript(clock) })
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
