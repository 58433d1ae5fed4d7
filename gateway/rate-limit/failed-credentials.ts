// What an address may try with credentials that are not known here. Counted in this process: guesses are too many to ask
// Redis about. Nobody answers for others at the same address, who may be many behind one network or balancer: the right
// operator's token and the keys that this gateway knows never come here. All others are counted before they are looked
// up, so that of many at once no more pass than one after the other, and those that prove right are given back.
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { Fault } from '#contract/fault.ts'
import type { Address } from '#runtime/ip-address.ts'
import { openSlots } from '#runtime/concurrency-limit.ts'

export type FailedCredentials = {
  /**
   * Asks for a key that this gateway does not know; null where there is none. An address that has failed too often has a
   * few such questions a second left, for a new key among the wrong ones; beyond them it throws `rate_limited`.
   */
  lookUp<K>(address: Address | null, ask: () => Promise<K | null>): Promise<K | null>
  /** Counts what was refused, whether or not anything was looked up for it. Throws where that was too often. */
  refused(address: Address | null): Promise<void>
}

const minuteSeconds = 60
const addressesMax = 100_000
const whileLockedPerSecond = { questions: 5, seconds: 1 }
const lookUpsAtOnce = { running: 32, waiting: 10_000 }
const waitingPerNetworkMax = 1_000
const waitMs = 5_000

export function failedCredentials(perMinute: number, { questions, seconds } = whileLockedPerSecond): FailedCredentials {
  const refusals = pointsOf(perMinute, minuteSeconds)
  const lookUps = pointsOf(perMinute, minuteSeconds)
  const whileLocked = pointsOf(questions, seconds)
  // At once no more than even a locked address has: so none lacks a question only because others have yet to give
  // theirs back.
  const perNetwork = { running: questions, waiting: waitingPerNetworkMax }
  const slots = openSlots({ all: lookUpsAtOnce, each: [perNetwork] }, waitMs)

  /** Where the question was counted. */
  async function count(network: string): Promise<Points> {
    if ((await lookUps.take(network)) === null) return lookUps
    const waitForMs = await whileLocked.take(network)
    if (waitForMs !== null) throw tooManyTries(waitForMs)
    return whileLocked
  }

  return {
    lookUp: async (address, ask) => {
      const network = networkOf(address)
      const slot = await slots.acquire([network])
      if (slot.kind === 'refused') throw tooManyTries(0)
      let isWrong = false
      try {
        const counted = await count(network)
        try {
          const key = await ask()
          isWrong = key === null
          return key
        } finally {
          if (!isWrong) await counted.giveBack(network)
        }
      } finally {
        slot.release()
      }
    },
    refused: async (address) => {
      const waitForMs = await refusals.take(networkOf(address))
      if (waitForMs !== null) throw tooManyTries(waitForMs)
    },
  }
}

type Points = {
  /** Null where there was one to take; else how many milliseconds it is until there are again. */
  take(network: string): Promise<number | null>
  giveBack(network: string): Promise<void>
}

function pointsOf(points: number, seconds: number): Points {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const counted = new LRUCache<string, true>({
    max: addressesMax,
    dispose: (_value, network) => void limiter.delete(network),
  })
  const giveBack = async (network: string): Promise<void> => void (await limiter.reward(network))
  return {
    take: async (network) => {
      if (!counted.has(network)) counted.set(network, true)
      const state = await limiter.consume(network).catch((full: RateLimiterRes) => full)
      if (state.consumedPoints <= points) return null
      await giveBack(network)
      return state.msBeforeNext
    },
    giveBack,
  }
}

/** Whoever has one IPv6 address has the 2^64 beside it. */
const networkOf = (address: Address | null): string =>
  address === null ? '' : address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')

const tooManyTries = (ms: number): Fault =>
  new Fault('rate_limited', 'Too many wrong credentials from this address.', {
    retryAfterSeconds: Math.max(1, Math.ceil(ms / 1_000)),
  })
