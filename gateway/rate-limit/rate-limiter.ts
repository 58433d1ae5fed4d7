// How much a key, and all keys of a workspace together, may ask for: from which buckets a call takes tokens, and what
// its caller is told. The tokens are counted in memory, or leased from Redis, which counts for all gateways together.
import { keyRate, workspaceRate } from '#contract/rate-limits.ts'
import { whenThere } from '#runtime/soon.ts'
import type { Quota, RateSubject } from '../request/request-context.ts'
import { memoryBuckets } from './memory-buckets.ts'
import { rateSubjects, type LimitedKey } from './rate-subject.ts'
import { openRedisLeases, type LeaseFigures, type Patience } from './redis-leases.ts'
import { bucketState, lacks, waitSeconds, type Consumed, type ConsumeTokens, type Rate } from './token-bucket.ts'

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
  /** For tokens that were taken and are not needed after all. */
  giveBack(subject: RateSubject, tokens: number): Quota | Promise<Quota>
  /** Null where there is no Redis. */
  leaseFigures(): LeaseFigures | null
  close(): Promise<void>
}

export const standardRates: Rates = { key: keyRate, workspace: workspaceRate }

export const memoryRateLimiter = (rates: Rates): RateLimiter =>
  rateLimiter(rates, { consume: memoryBuckets(), figures: () => null, close: async () => {} })

export const redisRateLimiter = (
  url: string,
  brand: string,
  rates: Rates,
  onError: (error: Error) => void,
  patience?: Patience,
): RateLimiter => rateLimiter(rates, openRedisLeases(url, `${brand}.limit`, onError, patience))

type Buckets = Pick<RateLimiter, 'close'> & { readonly consume: ConsumeTokens; figures(): LeaseFigures | null }

/** Of the buckets of a subject, in their order. */
const policies = ['key', 'workspace'] as const

function rateLimiter(rates: Rates, { consume, figures, close }: Buckets): RateLimiter {
  return {
    ...{ rates, subjectOf: rateSubjects(rates), leaseFigures: figures, close },
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
