// Leases over a real Redis: the connection, which never makes a call wait, the clock-work behind, and how many gateways
// there are.

import type { Cluster, Redis, Result } from 'ioredis'
import { openRedis } from '#runtime/redis-connection.ts'
import { leasedBuckets, monotonicUs, type LeasedBuckets } from './reserved-buckets.ts'
import {
  announceScript,
  answersIn,
  argumentsOf,
  countedAlone,
  leaseScript,
  neverHeard,
  recoversInUs,
} from './redis-script.ts'

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

// What gateways ask Redis for, gathered: the questions of one moment go in one script. Nobody waits longer than 20 ms for
// the answer; after that, and while there is no connection, Redis is away until it says something again.

/** What is asked for one bucket. */
export type Want = {
  readonly name: string
  readonly intervalUs: number
  readonly burst: number
  /** Tokens that were spent already, whether or not they were there; below 0, given back. */
  readonly debit: number
  /** The bucket is not full sooner than this, whatever Redis knows of it. */
  readonly fullInAtLeastUs: number
  /** All needs of a question are met or none. */
  readonly need: number
  /** Tokens to lease beyond that, as many as there are; `most`, as long as they are a small part of what is there. */
  readonly extra: number
  readonly most: number
}
export type Got = { readonly granted: number; readonly fullInUs: number }
export type Question = {
  readonly wants: readonly Want[]
  /** Since when a call waits, in µs on the clock of `performance.now`; null where none does. */
  readonly sinceUs: number | null
  /** `lacking` has a bit for each want that could not be met: 0 when all were. */
  answered(lacking: number, got: readonly Got[]): void
  failed(): void
  /** Nothing was heard for as long as a call may wait. `answered` or `failed` may still come. */
  silent(): void
}
export type Answer = { readonly lacking: number; readonly got: readonly Got[] }
type Send = (questions: readonly Question[]) => Promise<readonly Answer[]>

export type Questions = {
  isAway(): boolean
  ask(question: Question): void
  /** `collect` asks what nobody waits for: when something is sent next, or a while after, less where it is needed soon. */
  gather(collect: () => void, isNeededSoon: boolean): void
  /** Redis has answered something. */
  heard(): void
  flush(): Promise<void>
  /** Scripts sent so far. */
  sent(): number
}
type Parts = {
  readonly send: Send
  /** For how long a call waits for an answer. */
  readonly waitMs: number
  isConnected(): boolean
  onError(error: Error): void
}

const gatherMs = { soon: 2, later: 50 }
/** Redis does nothing else meanwhile. */
const wantsPerScriptMax = 256

export function openQuestions({ send, waitMs, isConnected, onError }: Parts): Questions {
  let waiting: Question[] = []
  let isSilent = false
  let sent = 0
  let immediate: NodeJS.Immediate | null = null
  const flushNow = () => void sendAll()
  const gathering = openGathering(flushNow)

  async function sendAll(): Promise<void> {
    gathering.collect()
    if (immediate !== null) clearImmediate(immediate)
    immediate = null
    const questions = waiting
    waiting = []
    await Promise.all(inScripts(questions).map(sendOne))
  }

  async function sendOne(questions: readonly Question[]): Promise<void> {
    if (!isConnected()) return questions.forEach((question) => question.failed())
    sent++
    let isOver = false
    const onSilence = () => {
      if (isOver) return
      isSilent = true
      questions.forEach((question) => question.silent())
    }
    // After a pause of this process an answer may lie there unread: it is read before the silence is believed.
    const silence = setTimeout(() => setImmediate(onSilence), leftMs(questions, waitMs))
    const answers = await send(questions).catch((error: Error) => {
      onError(error)
      return null
    })
    isOver = true
    clearTimeout(silence)
    isSilent = answers === null
    questions.forEach((question, at) => {
      const answer = answers?.[at]
      if (answer === undefined) question.failed()
      else question.answered(answer.lacking, answer.got)
    })
  }

  return {
    isAway: () => isSilent || !isConnected(),
    ask: (question) => {
      waiting.push(question)
      immediate ??= setImmediate(flushNow)
    },
    gather: gathering.gather,
    heard: () => void (isSilent = false),
    flush: sendAll,
    sent: () => sent,
  }
}

function openGathering(flush: () => void): { readonly gather: Questions['gather']; collect(): void } {
  let asks: (() => void) | null = null
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  return {
    gather: (collect, isNeededSoon) => {
      if (asks !== null && (isSoon || !isNeededSoon)) return
      clearTimeout(timer)
      asks = collect
      isSoon = isNeededSoon
      timer = setTimeout(flush, isSoon ? gatherMs.soon : gatherMs.later)
    },
    collect: () => {
      clearTimeout(timer)
      const ask = asks
      asks = null
      ask?.()
    },
  }
}

function inScripts(questions: readonly Question[]): Question[][] {
  const scripts: Question[][] = []
  let room = 0
  for (const question of questions) {
    const { length } = question.wants
    if (room < length) {
      scripts.push([])
      room = wantsPerScriptMax
    }
    room -= length
    scripts.at(-1)?.push(question)
  }
  return scripts
}

/** Of the time that the first call may wait. */
function leftMs(questions: readonly Question[], waitMs: number): number {
  const now = performance.now()
  const since = questions.reduce((least, { sinceUs }) => Math.min(least, (sinceUs ?? Infinity) / 1_000), now)
  return Math.max(0, waitMs - (now - since))
}

// How many gateways are alive, as Redis last said. Fewer are believed only once it was said for a while: when Redis comes
// back empty, the first to announce itself finds nobody else, and others may still be about to reconnect.

export type GatewayCount = { heard(alive: number, nowMs: number): void; count(): number }

const believedAfterMs = 4_000

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
