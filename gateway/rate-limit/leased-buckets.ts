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
import { decide, type DecidingParts } from './decide-call.ts'
import { gatheredRefills } from './gathered-refills.ts'
import { heldLeases } from './held-leases.ts'
import type { Questions } from './lease-questions.ts'
import { changeRate, newLease, roomOf, type Lease } from './lease.ts'
import { recentMap } from './recent-map.ts'
import { passed } from './told-of-leases.ts'
import { owedMax, type Bucket, type ChargeTokens, type Consumed, type ConsumeTokens } from './token-bucket.ts'
import type { Call } from './waiting-calls.ts'

export type LeasedBuckets = {
  readonly consume: ConsumeTokens
  readonly charge: ChargeTokens
  /** Of some leases, in turn. */
  giveBackIdle(): void
  giveBackAll(): void
  /** How many calls were counted without Redis. */
  countedAlone(): number
}
type Parts = {
  readonly questions: Pick<Questions, 'ask' | 'gather' | 'isAway'>
  /** Alive, this one included. */
  gateways(): number
  /** When Redis was last found to have lost its buckets. */
  lostAtUs(): number
  readonly nowUs?: () => number
}

/** A bucket that is forgotten counts as one that was never asked for. */
const leasesMax = 1_000_000
/** Whole, like all times here. */
export const monotonicUs = () => Math.floor(performance.now() * 1_000)

export function leasedBuckets({ questions, gateways, lostAtUs, nowUs = monotonicUs }: Parts): LeasedBuckets {
  const known = recentMap<Lease>(leasesMax)
  const asking = { questions, held: heldLeases(), gateways, lostAtUs, nowUs }
  const parts: DecidingParts = { ...asking, refills: gatheredRefills(asking), alone }
  let countedAlone = 0

  function leaseOf({ name, rate }: Bucket, now: number): Lease {
    let lease = known.get(name)
    if (lease === undefined) known.set(name, (lease = newLease(name, rate, now)))
    else if (lease.rate !== rate) changeRate(lease, rate, now)
    return lease
  }
  function alone({ leases, tokens }: Call): Consumed {
    countedAlone++
    return consumeAlone(leases, tokens, gateways(), nowUs())
  }
  const consume: ConsumeTokens = (buckets, tokens) => {
    const now = nowUs()
    const leases = buckets.map((bucket) => leaseOf(bucket, now))
    if (tokens <= 0) return putBack(leases, -tokens, now, parts)
    const consumed = decide({ leases, tokens, sinceUs: now }, now, parts)
    for (const lease of leases) {
      lease.demand += tokens
      lease.usedAtUs = now
    }
    return consumed
  }
  const charge: ChargeTokens = (buckets, tokens) => {
    const now = nowUs()
    const leases = buckets.map((bucket) => leaseOf(bucket, now))
    for (const lease of leases) owe(lease, tokens, gateways(), now, parts)
    return passed(leases, now)
  }
  return {
    consume,
    charge,
    giveBackIdle: () => giveBack(parts.held.idle(nowUs()), parts),
    giveBackAll: () => {
      giveBack(parts.held.all(), parts)
      parts.refills.flush()
    },
    countedAlone: () => countedAlone,
  }
}

/** Redis is told of it with the next question; while it is away, this gateway's share of the bucket has it. */
function owe(lease: Lease, tokens: number, gateways: number, now: number, { questions, refills }: DecidingParts): void {
  const due = Math.min(tokens, Math.floor(roomOf(lease, now) + lease.held + owedMax))
  if (due <= 0) return
  if (questions.isAway()) lease.fullAtUs = Math.max(lease.fullAtUs, now) + due * lease.intervalUs * gateways
  else {
    lease.held -= due
    refills.refill(lease)
  }
}

/** What is more than is needed here soon goes on to Redis. */
function putBack(leases: readonly Lease[], tokens: number, now: number, parts: DecidingParts): Consumed {
  const { questions, held, refills } = parts
  for (const lease of tokens === 0 ? [] : leases) {
    held.hold(lease, Math.min(tokens, lease.rate.burst - lease.held))
    const surplus = lease.held - lease.size
    if (surplus > 0 && !questions.isAway()) refills.release(lease, surplus)
  }
  return passed(leases, now)
}

function giveBack(leases: readonly Lease[], { questions, refills, nowUs }: DecidingParts): void {
  if (questions.isAway()) return
  const now = nowUs()
  for (const lease of leases) {
    // To a full bucket nothing can be given.
    if (lease.fullAtUs <= now) lease.held = 0
    else refills.release(lease, lease.held)
  }
}
