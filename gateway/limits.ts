// How much a key may ask for in a minute, and how many wrong credentials an address may try. Redis counts for all
// gateways together; when it is away or hangs, each gateway counts for itself and no call waits.
import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { Fault } from '#contract/fault.ts'
import type { Address } from '#runtime/address.ts'
import type { Quota } from './policies/answer-headers.ts'

type Verdict = Quota & { readonly allowed: boolean }
export type KeyLimits = {
  /** Takes all points at once or, where they are too many, answers `allowed: false`. */
  take(keyId: string, points: number): Promise<Verdict>
  close(): Promise<void>
}

const windowSeconds = 60
const commandTimeoutMs = 50
/** A Redis that hangs is hung up on after this long; until it is back, nobody asks it. */
const silenceMs = 250
const connection = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: commandTimeoutMs,
  socketTimeout: silenceMs,
  connectTimeout: 1_000,
  retryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
} as const

export const memoryLimits = (perMinute: number): KeyLimits =>
  keyLimits(new RateLimiterMemory({ points: perMinute, duration: windowSeconds }), perMinute, async () => {})

export function redisLimits(url: string, brand: string, perMinute: number, onError: (error: Error) => void): KeyLimits {
  const redis = new Redis(url, connection)
  redis.on('error', onError)
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${brand}.limit`,
    points: perMinute,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ points: perMinute, duration: windowSeconds }),
  })
  return keyLimits(limiter, perMinute, async () => redis.disconnect())
}

function keyLimits(limiter: RateLimiterAbstract, limit: number, close: () => Promise<void>): KeyLimits {
  const verdict = (allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Verdict => ({
    allowed,
    limit,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: secondsUntil(msBeforeNext),
  })
  async function take(keyId: string, points: number): Promise<Verdict> {
    try {
      return verdict(true, await limiter.consume(keyId, points))
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      // A batch that did not fit must not eat what single calls could still use.
      if (points > 1) await limiter.reward(keyId, points - 1)
      return verdict(false, refusal)
    }
  }
  return { take, close }
}

export type Tries = {
  /** Throws where this address has failed too often of late. */
  check(address: Address | null): Promise<void>
  failed(address: Address | null): Promise<void>
}

const addressesMax = 100_000

export function failedTries(perMinute: number): Tries {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds })
  const counted = new LRUCache<string, true>({
    max: addressesMax,
    dispose: (_value, holder) => void limiter.delete(holder),
  })
  return {
    check: async (address) => {
      const state = await limiter.get(holderOf(address))
      if (state !== null && state.consumedPoints >= perMinute) throw tooManyTries(state.msBeforeNext)
    },
    failed: async (address) => {
      const holder = holderOf(address)
      if (!counted.has(holder)) counted.set(holder, true)
      await limiter.penalty(holder)
    },
  }
}

/** Whoever has one IPv6 address has the 2^64 beside it. */
const holderOf = (address: Address | null): string =>
  address === null ? '' : address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')

const tooManyTries = (ms: number): Fault =>
  new Fault('rate_limited', 'Too many wrong credentials from this address.', { retryAfterSeconds: secondsUntil(ms) })

const secondsUntil = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))
