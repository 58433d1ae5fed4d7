// The rate limit of a key, and of all keys of a workspace together: from which buckets a call takes tokens, when it is
// refused, and what its caller is told. The tokens are counted in memory, or reserved in Redis, which counts for all
// gateways together. README.md has the algorithm and what is promised.
import { Fault } from '#contract/faults/fault.ts'
import { callsForDatabaseMs, rateOfKey, rateOfWorkspace, type RateLimit } from '#contract/rate-limits.ts'
import { andThen, type MaybePromise } from '#runtime/maybe-promise.ts'
import type { Quota, RateSubject, RequestContext } from '../request/request-context.ts'
import type { Cost } from './call-cost.ts'
import { openRedisStore, type RedisTimeouts } from './redis-store.ts'
import { monotonicUs, reservedBuckets } from './reserved-buckets.ts'
import {
  bucketState,
  lacks,
  memoryBuckets,
  waitSeconds,
  type ChargeTokens,
  type Consumed,
  type ConsumeTokens,
  type Rate,
} from './token-bucket.ts'

export type Rates = { readonly key: Rate; readonly workspace: Rate }
type Policy = keyof Rates
type Verdict = {
  readonly quota: Quota
  /** The policies that refuse the call; none when it is allowed. */
  readonly violated: readonly Policy[]
  readonly retryAfterSeconds: number
}
/** A key and its limits. */
type LimitedKey = {
  readonly id: string
  readonly rateLimit: RateLimit | null
  readonly workspaces: readonly { readonly id: string; readonly rateLimit: RateLimit | null }[]
}
type RedisFigures = {
  /** Redis is away, or has just come back without its buckets: this gateway counts its share by itself. */
  readonly isLocal: boolean
  /** Calls that were counted so, since the start. */
  readonly localCalls: number
  /** Gateways alive when last heard of, this one included. */
  readonly gateways: number
  /** Scripts run in Redis since the start. */
  readonly redisCalls: number
}
export type RateLimiter = {
  /** What holds for keys and workspaces without a limit of their own. */
  readonly rates: Rates
  /** `workspaceId` is null for a call outside of any workspace, or while none is selected. */
  subjectOf(key: LimitedKey, workspaceId: string | null): RateSubject
  /** Takes the tokens from every bucket or, where one lacks them, from none. */
  consume(subject: RateSubject, tokens: number): Verdict | Promise<Verdict>
  /**
   * For a call that has held the database for so long: takes what that counts as beside the call, whether it is there
   * or not. Null where that is nothing.
   */
  charge(subject: RateSubject, databaseMs: number): Quota | null
  /** For tokens that were taken and are not needed after all. */
  giveBack(subject: RateSubject, tokens: number): Quota | Promise<Quota>
  /** Null where there is no Redis. */
  redisFigures(): RedisFigures | null
  close(): Promise<void>
}

/** As how many calls one counts that has held the database for so long, beside the one that it was when it came. */
export type Price = (databaseMs: number) => number
export const standardPrice: Price = callsForDatabaseMs
const free: Price = () => 0

export const memoryRateLimiter = (rates: Rates, price: Price = free): RateLimiter =>
  rateLimiter(rates, price, { ...memoryBuckets(), redisFigures: () => null, close: async () => {} })

const releaseEveryMs = 250

export function redisRateLimiter(
  url: string,
  brand: string,
  rates: Rates,
  onError: (error: Error) => void,
  { price = free, timeouts }: { readonly price?: Price; readonly timeouts?: RedisTimeouts } = {},
): RateLimiter {
  const hasCountedLocally = (): boolean => buckets.localCalls() > 0
  const store = openRedisStore({
    url,
    prefix: `${brand}.limit`,
    nowUs: monotonicUs,
    hasCountedLocally,
    onError,
    timeouts,
  })
  const buckets = reservedBuckets(store)
  const releasing = setInterval(buckets.releaseIdle, releaseEveryMs)
  return rateLimiter(rates, price, {
    consume: buckets.consume,
    charge: buckets.charge,
    redisFigures: () => ({
      isLocal: store.isAway(),
      localCalls: buckets.localCalls(),
      gateways: store.gateways(),
      redisCalls: store.scriptsRun(),
    }),
    close: () => {
      clearInterval(releasing)
      buckets.releaseAll()
      return store.close()
    },
  })
}

type Buckets = Pick<RateLimiter, 'redisFigures' | 'close'> & {
  readonly consume: ConsumeTokens
  readonly charge: ChargeTokens
}

function rateLimiter(rates: Rates, price: Price, buckets: Buckets): RateLimiter {
  const { consume, charge, redisFigures, close } = buckets
  return {
    rates,
    subjectOf: rateSubjects(rates),
    charge: ({ buckets }, databaseMs) => {
      const tokens = price(databaseMs)
      return tokens === 0 ? null : quotaOf(buckets, charge(buckets, tokens))
    },
    consume: (subject, tokens) =>
      andThen(consume(subject.buckets, tokens), (consumed) => verdict(subject, tokens, consumed)),
    giveBack: ({ buckets }, tokens) => andThen(consume(buckets, -tokens), (consumed) => quotaOf(buckets, consumed)),
    redisFigures,
    close,
  }
}

// From which buckets a call takes: settled once for a key and a workspace, as long as the key's record is the same. A
// changed limit is a new record.

function rateSubjects(defaults: Rates): RateLimiter['subjectOf'] {
  const known = new WeakMap<LimitedKey, Map<string | null, RateSubject>>()
  return (key, workspaceId) => {
    const ofKey = known.get(key) ?? new Map<string | null, RateSubject>()
    if (ofKey.size === 0) known.set(key, ofKey)
    const subject = ofKey.get(workspaceId) ?? subjectOf(key, workspaceId, defaults)
    ofKey.set(workspaceId, subject)
    return subject
  }
}

function subjectOf(key: LimitedKey, workspaceId: string | null, defaults: Rates): RateSubject {
  const { id, rateLimit, workspaces } = key
  const plans = workspaces.map((workspace) => workspace.rateLimit)
  const rate = rateOfKey(rateLimit, plans, defaults)
  // A key of one workspace is told the limit there even before, or outside of, a call in it.
  const shown = workspaces.length === 1 ? workspaces[0] : workspaces.find((one) => one.id === workspaceId)
  const workspaceRate = shown === undefined ? null : rateOfWorkspace(shown.rateLimit, defaults)
  const ofKey = { name: `key.${id}`, rate }
  const ofWorkspace = { name: `workspace.${workspaceId}`, rate: workspaceRate ?? defaults.workspace }
  return {
    keyId: id,
    rates: { key: rate, workspace: workspaceRate },
    buckets: workspaceId === null ? [ofKey] : [ofKey, ofWorkspace],
  }
}

// What is said of a call.

/** Of the buckets of a subject, in their order. */
const policies = ['key', 'workspace'] as const

function verdict({ buckets }: RateSubject, tokens: number, consumed: Consumed): Verdict {
  const quota = quotaOf(buckets, consumed)
  return consumed.allowed ? { quota, ...allowed } : refusal(buckets, tokens, consumed, quota)
}

const allowed = { violated: [], retryAfterSeconds: 0 }

function refusal(buckets: RateSubject['buckets'], tokens: number, consumed: Consumed, quota: Quota): Verdict {
  const waits = buckets.flatMap(({ rate }, at) => {
    const fullInUs = consumed.fullInUs[at] ?? 0
    if (!lacks(rate, fullInUs, tokens)) return []
    return [{ policy: policies[at] ?? 'key', seconds: waitSeconds(rate, fullInUs, tokens) }]
  })
  return {
    quota,
    violated: waits.map(({ policy }) => policy),
    retryAfterSeconds: Math.max(0, ...waits.map(({ seconds }) => seconds)),
  }
}

function quotaOf([key, workspace]: RateSubject['buckets'], { fullInUs }: Consumed): Quota {
  const [keyUs = 0, workspaceUs = 0] = fullInUs
  return {
    key: bucketState(key.rate, keyUs),
    workspace: workspace === undefined ? null : bucketState(workspace.rate, workspaceUs),
  }
}

// What a call is charged. What remains is kept in its context, for the headers of the answer.

/** Throws `rate_limited`, or `too_many_items` where no waiting would help. */
export const consume = (
  subject: RateSubject,
  { tokens }: Cost,
  context: RequestContext,
  rateLimiter: RateLimiter,
): MaybePromise<void> =>
  andThen(rateLimiter.consume(subject, tokens), ({ quota, violated, retryAfterSeconds }) => {
    context.quota = quota
    if (violated.length > 0) throw tooMany(tokens, subject) ?? rateLimited(violated, subject, retryAfterSeconds)
  })

type Tokens = { readonly taken: number; readonly needed: number }

/** For a call that needs more than was taken when it came. Throws as `consume` does; then it has cost nothing. */
export async function consumeMore(
  { taken, needed }: Tokens,
  context: RequestContext,
  rateLimiter: RateLimiter,
): Promise<void> {
  const { rateSubject: subject } = context
  if (needed <= taken || subject === null) return
  const { quota, violated, retryAfterSeconds } = await rateLimiter.consume(subject, needed - taken)
  context.quota = violated.length === 0 ? quota : await rateLimiter.giveBack(subject, taken)
  if (violated.length > 0) throw tooMany(needed, subject) ?? rateLimited(violated, subject, retryAfterSeconds)
}

/** For a call that has held the database for so long. Returns whether it costs anything more. */
export function chargeDatabase(databaseMs: number, context: RequestContext, rateLimiter: RateLimiter): boolean {
  const { rateSubject } = context
  const quota = rateSubject === null ? null : rateLimiter.charge(rateSubject, databaseMs)
  context.quota = quota ?? context.quota
  return quota !== null
}

/** For a call that needed less than was taken when it came. */
export function giveBack({ taken, needed }: Tokens, { rateSubject }: RequestContext, rateLimiter: RateLimiter): void {
  if (taken > needed && rateSubject !== null) void rateLimiter.giveBack(rateSubject, taken - needed)
}

/** For a call that costs more than its buckets ever hold: told to come again, it would do so for ever. */
function tooMany(tokens: number, { buckets }: RateSubject): Fault | null {
  const limit = Math.min(...buckets.map(({ rate }) => rate.burst))
  if (tokens <= limit) return null
  const detail = `The request counts as ${tokens} requests, and the rate limit allows at most ${limit} at the same time.`
  return new Fault('too_many_items', detail, { limit, hint: 'Split it into smaller requests.' })
}

function rateLimited(violated: readonly Policy[], { buckets }: RateSubject, retryAfterSeconds: number): Fault {
  const [key, workspace] = buckets
  const ofWorkspace = violated.includes('workspace') && !violated.includes('key')
  const { perMinute, burst } = (ofWorkspace ? (workspace ?? key) : key).rate
  const who = ofWorkspace ? 'The keys of this workspace together have' : 'The key has'
  return new Fault(
    'rate_limited',
    `${who} reached ${ofWorkspace ? 'their' : 'its'} rate limit: ${perMinute} requests per minute, burst ${burst}.`,
    {
      retryAfterSeconds,
      'violated-policies': violated,
    },
  )
}
