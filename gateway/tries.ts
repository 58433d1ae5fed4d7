// How many wrong credentials an address may try in a minute, counted here: guesses are too many to ask Redis about.
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Fault } from '#contract/fault.ts'
import type { Address } from '#runtime/address.ts'

export type Tries = {
  /** Throws where this address has failed too often of late. */
  check(address: Address | null): Promise<void>
  failed(address: Address | null): Promise<void>
}

const windowSeconds = 60
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
  new Fault('rate_limited', 'Too many wrong credentials from this address.', {
    retryAfterSeconds: Math.max(1, Math.ceil(ms / 1_000)),
  })
