// A limit on how often an address may present credentials that are not known here. It is counted in this process:
// guesses are too many to ask Redis about. Callers behind one network or balancer share an address, so the right
// operator's token and keys in the cache never come here. All other keys are counted before they are looked up, so that
// many guesses at once pass no more often than one after the other, and those that prove right are given back.
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { Fault } from '#contract/faults/fault.ts'
import { networkOf, type Address } from '#runtime/ip-address.ts'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import { lazyLru } from '#runtime/lazy-lru.ts'

export type FailedCredentials = {
  /**
   * Fetches a key that is not in the cache; resolves to null when there is none. An address that has failed too often
   * has a few look-ups a second left, for a new key among the wrong ones; beyond them it rejects with `rate_limited`.
   * `hash`: of a credential that is looked up again and again. Once it was right it is not counted, whatever others at
   * its address present, until it is wrong.
   */
  lookUp<K>(address: Address | null, fetchKey: () => Promise<K | null>, hash?: string): Promise<K | null>
  /** Counts a refusal, whether or not anything was looked up. Rejects with `rate_limited` when there were too many. */
  refused(address: Address | null): Promise<void>
}

const minuteSeconds = 60
const addressesMax = 100_000
const knownMax = 10_000
const whileLockedPerSecond = { lookUps: 5, seconds: 1 }
const lookUpsAtOnce = { running: 32, waiting: 10_000 }
const waitingPerNetworkMax = 1_000
const waitMs = 5_000

export function failedCredentials(perMinute: number, { lookUps, seconds } = whileLockedPerSecond): FailedCredentials {
  const refusals = counter(perMinute, minuteSeconds)
  const unlocked = counter(perMinute, minuteSeconds)
  const whileLocked = counter(lookUps, seconds)
  // No more at once than a locked address has: so no look-up is refused only because others have yet to give theirs
  // back.
  const perNetwork = { running: lookUps, waiting: waitingPerNetworkMax }
  const known = lazyLru<true>(knownMax)
  const slots = openConcurrencyLimit({ all: lookUpsAtOnce, each: [perNetwork] }, waitMs)

  /** Returns the counter that is to be given back to. */
  async function count(network: string): Promise<Counter> {
    if ((await unlocked.take(network)) === null) return unlocked
    const waitForMs = await whileLocked.take(network)
    if (waitForMs !== null) throw tooManyFailures(waitForMs)
    return whileLocked
  }

  return {
    lookUp: async (address, fetchKey, hash) => {
      if (hash !== undefined && known.has(hash)) {
        const again = await fetchKey()
        if (again === null) known.delete(hash)
        return again
      }
      const network = nameOf(address)
      const slot = await slots.acquire([network])
      if (slot.kind === 'refused') throw tooManyFailures(0)
      let isWrong = false
      try {
        const counted = await count(network)
        try {
          const key = await fetchKey()
          isWrong = key === null
          if (!isWrong && hash !== undefined) known.set(hash, true)
          return key
        } finally {
          if (!isWrong) await counted.giveBack(network)
        }
      } finally {
        slot.release()
      }
    },
    refused: async (address) => {
      const waitForMs = await refusals.take(nameOf(address))
      if (waitForMs !== null) throw tooManyFailures(waitForMs)
    },
  }
}

type Counter = {
  /** Resolves to null when it could be counted, else to the milliseconds until it can be. */
  take(network: string): Promise<number | null>
  giveBack(network: string): Promise<void>
}

function counter(points: number, seconds: number): Counter {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const networks = lazyLru<true>(addressesMax, {
    dispose: (_value, network) => {
      void limiter.delete(network)
    },
  })
  async function giveBack(network: string): Promise<void> {
    await limiter.reward(network)
  }
  return {
    take: async (network) => {
      if (!networks.has(network)) networks.set(network, true)
      const state = await limiter.consume(network).catch((full: RateLimiterRes) => full)
      if (state.consumedPoints <= points) return null
      await giveBack(network)
      return state.msBeforeNext
    },
    giveBack,
  }
}

const nameOf = (address: Address | null): string => (address === null ? '' : networkOf(address))

const tooManyFailures = (ms: number): Fault =>
  new Fault('rate_limited', 'Too many wrong credentials from this IP address.', {
    retryAfterSeconds: Math.max(1, Math.ceil(ms / 1_000)),
    'violated-policies': ['failed-credentials'],
  })
