// How much a key, and all keys of a workspace together, may ask for: from which buckets a call takes tokens, and what
// its caller is told. The tokens are counted in memory, or leased from Redis, which counts for all gateways together.

import {
  callsForDatabaseMs,
  keyRate,
  workspaceRate,
  rateOfKey,
  rateOfWorkspace,
  type RateLimit,
} from '#contract/rate-limits.ts'
import { whenThere, type Soon } from '#runtime/soon.ts'
import type { Quota, RateSubject, RequestContext } from '../request/request-context.ts'
import {
  memoryBuckets,
  bucketState,
  lacks,
  waitSeconds,
  type ChargeTokens,
  type Consumed,
  type ConsumeTokens,
  type Rate,
} from './token-bucket.ts'
import { openRedisLeases, type LeaseFigures, type Patience } from './redis-store.ts'
import { Fault } from '#contract/fault.ts'
import type { Cost } from './call-cost.ts'

export type Rates = { readonly key: Rate; readonly workspace: Rate }
export type Policy = keyof Rates
type Verdict = {
  readonly quota: Quota
  /** The policies that refuse the call; none when it is allowed. */
  readonly violated: readonly Policy[]
  readonly retryAfterSeconds: number
}
export type RateLimiter = {
  /** What holds for keys and workspaces without a limit of their own. */
  readonly rates: Rates
  /** `workspaceId` is null for a call outside of any workspace, or while none is selected. */
  subjectOf(key: LimitedKey, workspaceId: string | null): RateSubject
  /** Takes the tokens from every bucket or, where one lacks them, from none. */
  consume(subject: RateSubject, tokens: number): Verdict | Promise<Verdict>
  /**
   * For a call that has held the database for so long: takes what that counts as beside the call, whether it is there or
   * not. Null where that is nothing.
   */
  charge(subject: RateSubject, databaseMs: number): Quota | null
  /** For tokens that were taken and are not needed after all. */
  giveBack(subject: RateSubject, tokens: number): Quota | Promise<Quota>
  /** Null where there is no Redis. */
  leaseFigures(): LeaseFigures | null
  close(): Promise<void>
}

export const standardRates: Rates = { key: keyRate, workspace: workspaceRate }

export const memoryRateLimiter = (rates: Rates, price: Price = free): RateLimiter =>
  rateLimiter(rates, price, { ...memoryBuckets(), figures: () => null, close: async () => {} })

export const redisRateLimiter = (
  url: string,
  brand: string,
  rates: Rates,
  onError: (error: Error) => void,
  { price = free, patience }: { readonly price?: Price; readonly patience?: Patience } = {},
): RateLimiter => rateLimiter(rates, price, openRedisLeases(url, `${brand}.limit`, onError, patience))

type Buckets = Pick<RateLimiter, 'close'> & {
  readonly consume: ConsumeTokens
  readonly charge: ChargeTokens
  figures(): LeaseFigures | null
}

/** As how many calls one counts that has held the database for so long, beside the one that it was when it came. */
export type Price = (databaseMs: number) => number
export const standardPrice: Price = callsForDatabaseMs
const free: Price = () => 0

/** Of the buckets of a subject, in their order. */
const policies = ['key', 'workspace'] as const

function rateLimiter(rates: Rates, price: Price, { consume, charge, figures, close }: Buckets): RateLimiter {
  return {
    ...{ rates, subjectOf: rateSubjects(rates), leaseFigures: figures, close },
    charge: ({ buckets }, databaseMs) => {
      const tokens = price(databaseMs)
      return tokens === 0 ? null : quotaOf(buckets, charge(buckets, tokens))
    },
    consume: (subject, tokens) =>
      whenThere(consume(subject.buckets, tokens), (consumed) => verdict(subject, tokens, consumed)),
    giveBack: ({ buckets }, tokens) => whenThere(consume(buckets, -tokens), (consumed) => quotaOf(buckets, consumed)),
  }
}

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

function quotaOf(
  [key, workspace]: RateSubject['buckets'],
  { fullInUs: [keyUs = 0, workspaceUs = 0] }: Consumed,
): Quota {
  return {
    key: bucketState(key.rate, keyUs),
    workspace: workspace === undefined ? null : bucketState(workspace.rate, workspaceUs),
  }
}

// Whose tokens a call takes, and how many there may be: settled once for a key and a workspace, as long as the key's
// record is the same. A changed limit is a new record.

export type LimitedKey = {
  readonly id: string
  readonly rateLimit: RateLimit | null
  readonly workspaces: readonly { readonly id: string; readonly rateLimit: RateLimit | null }[]
}
type Defaults = { readonly key: RateLimit; readonly workspace: RateLimit }
type SubjectOf = (key: LimitedKey, workspaceId: string | null) => RateSubject

export function rateSubjects(defaults: Defaults): SubjectOf {
  const known = new WeakMap<LimitedKey, Map<string | null, RateSubject>>()
  return (key, workspaceId) => {
    const ofKey = known.get(key) ?? new Map<string | null, RateSubject>()
    if (ofKey.size === 0) known.set(key, ofKey)
    const subject = ofKey.get(workspaceId) ?? subjectOf(key, workspaceId, defaults)
    ofKey.set(workspaceId, subject)
    return subject
  }
}

function subjectOf(
  { id, rateLimit, workspaces }: LimitedKey,
  workspaceId: string | null,
  defaults: Defaults,
): RateSubject {
  const rate = rateOfKey(
    rateLimit,
    workspaces.map((workspace) => workspace.rateLimit),
    defaults,
  )
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

// Takes from the rate limit what a call costs, and refuses the call when there is not enough. What remains is
// kept in the request's context, for the headers of the answer.

/** Throws `rate_limited`, or `too_many_items` where no waiting would help. */
export const consume = (
  subject: RateSubject,
  { tokens }: Cost,
  context: RequestContext,
  rateLimiter: RateLimiter,
): Soon<void> =>
  whenThere(rateLimiter.consume(subject, tokens), ({ quota, violated, retryAfterSeconds }) => {
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
  const detail = `The call counts as ${tokens} requests, and at most ${limit} can be made at once.`
  return new Fault('too_many_items', detail, { limit, hint: 'Split it into smaller calls.' })
}

function rateLimited(
  violated: readonly Policy[],
  { buckets: [key, workspace] }: RateSubject,
  retryAfterSeconds: number,
): Fault {
  const ofWorkspace = violated.includes('workspace') && !violated.includes('key')
  const { perMinute, burst } = (ofWorkspace ? (workspace ?? key) : key).rate
  const who = ofWorkspace ? 'The keys of this workspace together have' : 'The key has'
  return new Fault('rate_limited', `${who} used up the requests for now: ${perMinute} a minute, ${burst} at once.`, {
    retryAfterSeconds,
    'violated-policies': violated,
  })
}
