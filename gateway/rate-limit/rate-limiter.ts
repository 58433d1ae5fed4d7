// How much a key, and all keys of a workspace together, may ask for: from which buckets a call takes tokens, and what
// its caller is told. The tokens are counted in memory, or leased from Redis, which counts for all gateways together.
import { callsForDatabaseMs, keyRate, workspaceRate } from '#contract/rate-limits.ts'
import { andThen } from '#runtime/maybe-promise.ts'
import type { Quota, RateSubject } from '../request/request-context.ts'
import { memoryBuckets } from './memory-buckets.ts'
import { rateSubjects, type LimitedKey } from './rate-subject.ts'
import { openRedisLeases, type LeaseFigures, type Patience } from './redis-leases.ts'
import {
  bucketState,
  lacks,
  waitSeconds,
  type ChargeTokens,
  type Consumed,
  type ConsumeTokens,
  type Rate,
} from './token-bucket.ts'

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
      andThen(consume(subject.buckets, tokens), (consumed) => verdict(subject, tokens, consumed)),
    giveBack: ({ buckets }, tokens) => andThen(consume(buckets, -tokens), (consumed) => quotaOf(buckets, consumed)),
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
