// Token buckets that several gateways share, at the price of few questions. Each gateway leases tokens from Redis ahead of
// need and spends them from memory; behind the call it asks for more. Tokens are debited in Redis before they are spent,
// so all gateways together never let through more than the rate and one burst allow; the exception is one token of credit
// for each gateway and bucket, so that the first call on a cold key does not wait. What can be lost is what lies leased
// where a gateway dies; an idle lease goes back after a second.
//
// The script is our own and not rate-limiter-flexible's `RateLimiterRedis`: that asks for one key at a time, so a call's
// two buckets would not be taken from together, nor the leases of many keys in one round trip; and credit, tokens given
// back and what was counted while Redis was away need more than its one number. Its memory limiter still guards failed
// credentials.
import { consumeAlone } from './counted-alone.ts'
import { heldLeases } from './held-leases.ts'
import { changeRate, isKnownToLack, mayCredit, newLease, wantsRefill, type Lease } from './lease.ts'
import { refill, release, take, type AskingParts } from './lease-asking.ts'
import type { Questions } from './lease-questions.ts'
import { recentMap } from './recent-map.ts'
import { passed, refused } from './told-of-leases.ts'
import type { Bucket, Consumed, ConsumeTokens } from './token-bucket.ts'

export type LeasedBuckets = {
  readonly consume: ConsumeTokens
  /** Of some leases, in turn. */
  giveBackIdle(): void
  giveBackAll(): void
  /** How many calls were counted without Redis. */
  countedAlone(): number
}
type Parts = {
  readonly questions: Pick<Questions, 'ask' | 'isAway'>
  /** Alive, this one included. */
  gateways(): number
  readonly nowUs?: () => number
}

/** A bucket that is forgotten counts as one that was never asked for. */
const leasesMax = 1_000_000
const idleUs = 1_000_000
/** Whole, like all times here. */
const monotonicUs = () => Math.floor(performance.now() * 1_000)

export function leasedBuckets({ questions, gateways, nowUs = monotonicUs }: Parts): LeasedBuckets {
  const known = recentMap<Lease>(leasesMax)
  const held = heldLeases()
  const parts: AskingParts = { questions, held, gateways, nowUs }
  let countedAlone = 0

  function leaseOf({ name, rate }: Bucket, now: number): Lease {
    let lease = known.get(name)
    if (lease === undefined) known.set(name, (lease = newLease(name, rate, now)))
    else if (lease.rate !== rate) changeRate(lease, rate, now)
    return lease
  }
  function alone(leases: readonly Lease[], tokens: number): Consumed {
    countedAlone++
    return consumeAlone(leases, tokens, gateways(), nowUs())
  }
  const consume: ConsumeTokens = (buckets, tokens) => {
    const now = nowUs()
    const leases = buckets.map((bucket) => leaseOf(bucket, now))
    if (tokens <= 0) return putBack(leases, -tokens, now, parts)
    const consumed = decide(leases, tokens, now, alone, parts)
    for (const lease of leases) {
      lease.demand += tokens
      lease.usedAtUs = now
    }
    return consumed
  }
  const giveBack = (some: (now: number) => readonly Lease[]): void => {
    if (questions.isAway()) return
    const now = nowUs()
    for (const lease of some(now)) release(lease, lease.held, now, parts)
  }
  return {
    consume,
    giveBackIdle: () => giveBack((now) => held.idle(now - idleUs)),
    giveBackAll: () => giveBack(held.all),
    countedAlone: () => countedAlone,
  }
}

function decide(
  leases: readonly Lease[],
  tokens: number,
  now: number,
  alone: (leases: readonly Lease[], tokens: number) => Consumed,
  parts: AskingParts,
): Consumed | Promise<Consumed> {
  if (leases.every((lease) => lease.held >= tokens)) return spend(leases, tokens, now, parts)
  if (parts.questions.isAway()) return alone(leases, tokens)
  const onCredit = tokens === 1 && leases.every((lease) => lease.held > 0 || mayCredit(lease, now))
  if (onCredit) return spend(leases, tokens, now, parts)
  const lacking = leases.reduce((all, lease, at) => (isKnownToLack(lease, tokens, now) ? all | (1 << at) : all), 0)
  if (lacking > 0) return refused(leases, tokens, lacking, now)
  return take(leases, tokens, now, () => alone(leases, tokens), parts)
}

function spend(leases: readonly Lease[], tokens: number, now: number, parts: AskingParts): Consumed {
  for (const lease of leases) {
    lease.held -= tokens
    if (wantsRefill(lease, now)) refill(lease, now, parts)
  }
  return passed(leases, now)
}

/** What is more than is needed here soon goes on to Redis. */
function putBack(leases: readonly Lease[], tokens: number, now: number, parts: AskingParts): Consumed {
  for (const lease of tokens === 0 ? [] : leases) {
    parts.held.hold(lease, Math.min(tokens, lease.rate.burst - lease.held))
    const surplus = lease.held - lease.size
    if (surplus > 0 && !parts.questions.isAway()) release(lease, surplus, now, parts)
  }
  return passed(leases, now)
}
