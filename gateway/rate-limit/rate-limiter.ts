// How much a key, and all keys of a workspace together, may ask for: from which buckets a call takes tokens, and what
// its caller is told. The tokens are counted in memory, or in Redis for all gateways together.
import { handshakeRate, keyRate, workspaceRate } from '#contract/rate-limits.ts'
import type { Quota } from '../request/request-context.ts'
import { memoryBuckets } from './memory-buckets.ts'
import { openRedisBuckets } from './redis-buckets.ts'
import { withMemoryFallback } from './redis-fallback.ts'
import {
  bucketState,
  lacks,
  waitSeconds,
  type Bucket,
  type Consumed,
  type ConsumeTokens,
  type Rate,
} from './token-bucket.ts'

/** `handshake`: of a key's calls that open an MCP session, which the other two do not refuse. */
export type Rates = { readonly key: Rate; readonly workspace: Rate; readonly handshake: Rate }
/** Whose buckets a call takes from; outside of any workspace the key's alone. */
type Subject = { readonly keyId: string; readonly workspaceId: string | null }
export type Policy = keyof Rates
type Verdict = {
  readonly quota: Quota
  /** The policies that refuse the call; none when it is allowed. */
  readonly violated: readonly Policy[]
  readonly retryAfterSeconds: number
}
export type RateLimiter = {
  readonly rates: Rates
  /** Takes the tokens from every bucket or, where one lacks them, from none. */
  consume(subject: Subject, tokens: number): Promise<Verdict>
  /** For tokens that were taken and are not needed after all. */
  giveBack(subject: Subject, tokens: number): Promise<Quota>
  /** For a call that opens an MCP session: returns the seconds until the key may open one, 0 when it may now. */
  consumeHandshake(keyId: string): Promise<number>
  close(): Promise<void>
}

export const standardRates: Rates = { key: keyRate, workspace: workspaceRate, handshake: handshakeRate }

export const memoryRateLimiter = (rates: Rates): RateLimiter =>
  rateLimiter(rates, memoryBuckets().consume, async () => {})

export function redisRateLimiter(
  url: string,
  brand: string,
  rates: Rates,
  onError: (error: Error) => void,
): RateLimiter {
  const redis = openRedisBuckets(url, `${brand}.limit`, onError)
  return rateLimiter(rates, withMemoryFallback(redis, memoryBuckets(), onError), redis.close)
}

function rateLimiter(rates: Rates, consumeTokens: ConsumeTokens, close: () => Promise<void>): RateLimiter {
  const bucketsOf = ({ keyId, workspaceId }: Subject): Bucket[] => {
    const key = { name: `key.${keyId}`, rate: rates.key }
    return workspaceId === null ? [key] : [key, { name: `workspace.${workspaceId}`, rate: rates.workspace }]
  }
  return {
    rates,
    consume: async (subject, tokens) => verdict(rates, tokens, await consumeTokens(bucketsOf(subject), tokens)),
    giveBack: async (subject, tokens) => quotaOf(rates, await consumeTokens(bucketsOf(subject), -tokens)),
    consumeHandshake: async (keyId) => {
      const bucket = { name: `handshake.${keyId}`, rate: rates.handshake }
      const { allowed, fullInUs } = await consumeTokens([bucket], 1)
      return allowed ? 0 : waitSeconds(rates.handshake, fullInUs[0] ?? 0, 1)
    },
    close,
  }
}

function verdict(rates: Rates, tokens: number, consumed: Consumed): Verdict {
  const [key = 0, workspace] = consumed.fullInUs
  const asked: [Policy, number | undefined][] = [
    ['key', key],
    ['workspace', workspace],
  ]
  const waits = asked.flatMap(([policy, fullInUs]) =>
    consumed.allowed || fullInUs === undefined || !lacks(rates[policy], fullInUs, tokens)
      ? []
      : [{ policy, seconds: waitSeconds(rates[policy], fullInUs, tokens) }],
  )
  return {
    quota: quotaOf(rates, consumed),
    violated: waits.map(({ policy }) => policy),
    retryAfterSeconds: Math.max(0, ...waits.map(({ seconds }) => seconds)),
  }
}

const quotaOf = (rates: Rates, { fullInUs: [key = 0, workspace] }: Consumed): Quota => ({
  key: bucketState(rates.key, key),
  workspace: workspace === undefined ? null : bucketState(rates.workspace, workspace),
})
