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

import { consumeAlone } from './local-fallback.ts'
import type { Questions, Got } from './redis-store.ts'
import {
  changeRate,
  newLease,
  roomOf,
  type Lease,
  type AskingParts,
  isAnsweredSoon,
  isKnownToLack,
  mayCredit,
  waitUs,
  wantsRefill,
  ask,
  settle,
  wake,
  expectDebit,
  keptUs,
  fullInUs,
} from './reservation.ts'
import { recentMap } from './two-generation-cache.ts'
import { owedMax, type Bucket, type ChargeTokens, type Consumed, type ConsumeTokens } from './token-bucket.ts'

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

// Whether a call passes: at once wherever that can be known here, else once Redis has answered.

export type DecidingParts = AskingParts & {
  readonly refills: Refills
  /** Decides where Redis does not. */
  alone(call: Call): Consumed
}

export function decide(call: Call, now: number, parts: DecidingParts): Consumed | Promise<Consumed> {
  const { leases, tokens, sinceUs } = call
  if (holdAll(leases, tokens)) return spend(call, now, parts)
  if (parts.questions.isAway()) return parts.alone(call)
  const isOne = tokens === 1
  if (isOne && leases.every((lease) => lease.held > 0 || mayCredit(lease, now))) return spend(call, now, parts)
  const lacking = bitsOf(leases, (lease) => isKnownToLack(lease, tokens, now))
  if (lacking > 0) return refused(leases, tokens, lacking, now)
  if (now - sinceUs >= waitUs) return parts.alone(call)
  if (isOne && leases.every((lease) => lease.held > 0 || isAnsweredSoon(lease, now)))
    return waitForRefill(call, () => decide(call, parts.nowUs(), parts))
  return take(call, () => parts.alone(call), parts)
}

function spend({ leases, tokens }: Call, now: number, { refills }: DecidingParts): Consumed {
  for (const lease of leases) {
    lease.held -= tokens
    if (wantsRefill(lease, now)) refills.refill(lease)
  }
  return passed(leases, now)
}

function holdAll(leases: readonly Lease[], tokens: number): boolean {
  for (const { held } of leases) if (held < tokens) return false
  return true
}

const bitsOf = (leases: readonly Lease[], isSet: (lease: Lease) => boolean): number =>
  leases.reduce((bits, lease, at) => (isSet(lease) ? bits | (1 << at) : bits), 0)

// Calls that wait for Redis. Each asks for all that it lacks, except where a refill that is under way may bring it: those
// who wait for the same lease ask together.

export type Call = { readonly leases: readonly Lease[]; readonly tokens: number; readonly sinceUs: number }
type Decided = Consumed | Promise<Consumed>

/** `again` decides once that has come which is under way, or will not come in time. */
export function waitForRefill({ leases, tokens }: Call, again: () => Decided): Promise<Consumed> {
  const { promise, resolve } = Promise.withResolvers<Consumed>()
  leases.find(({ held }) => held < tokens)?.waiting.push(() => resolve(again()))
  return promise
}

/** All that the call lacks is taken in Redis, or nothing. `alone` decides where Redis does not answer. */
export function take({ leases, tokens, sinceUs }: Call, alone: () => Consumed, parts: AskingParts): Promise<Consumed> {
  const { questions, held, nowUs } = parts
  const now = nowUs()
  // Nobody else spends meanwhile what this call has found here.
  const aside = leases.map((lease) => Math.min(Math.max(lease.held, 0), tokens))
  const add = (amounts: readonly number[]) => leases.forEach((lease, at) => held.hold(lease, amounts[at] ?? 0))
  add(aside.map((amount) => -amount))
  const asked = leases.map((lease, at) => ask(lease, tokens - (aside[at] ?? 0), now, parts))
  const wants = asked.map(({ want }) => want)
  const { promise, resolve } = Promise.withResolvers<Consumed>()
  let isDecided = false

  function decideAlone(): void {
    if (isDecided) return
    isDecided = true
    add(aside)
    resolve(alone())
  }
  function silent(): void {
    decideAlone()
    wake(leases)
  }
  function answered(lacking: number, got: readonly Got[]): void {
    asked.forEach((one, at) => settle(one, got[at], lacking, parts))
    // Too late for the call: what was taken for it is there for others.
    if (isDecided && lacking === 0) add(wants.map(({ need }) => need))
    if (!isDecided && lacking > 0) add(aside)
    if (!isDecided) resolve(lacking > 0 ? refused(leases, tokens, lacking, nowUs()) : passed(leases, nowUs()))
    isDecided = true
    wake(leases)
  }
  function failed(): void {
    for (const one of asked) settle(one, undefined, 0, parts)
    silent()
  }
  questions.ask({ wants, sinceUs, answered, failed, silent })
  return promise
}

// What nobody waits for, of many leases in one question: tokens that are owed, leased ahead or given back.

export type Refills = {
  /** Behind a call: pays what is owed and leases as many tokens as are needed soon. */
  refill(lease: Lease): void
  /** Gives held tokens back. If Redis does not hear of it, they are lost. */
  release(lease: Lease, tokens: number): void
  /** Asks now. */
  flush(): void
}

const perQuestionMax = 128

export function gatheredRefills(parts: AskingParts): Refills {
  const { questions, nowUs } = parts
  let queue: Lease[] = []

  function add(lease: Lease): void {
    if (!lease.queued) queue.push(lease)
    lease.queued = true
    if (queue.length >= perQuestionMax) flush()
    // Where tokens are needed all the time they would run out meanwhile.
    else questions.gather(flush, lease.size > 0)
  }
  function flush(): void {
    // The others were asked for since, for a call.
    const leases = queue.filter(({ queued }) => queued)
    queue = []
    if (leases.length > 0) questions.ask(questionOf(leases))
  }
  function questionOf(leases: readonly Lease[]) {
    const now = nowUs()
    const asked = leases.map((lease) => ask(lease, 0, now, parts))
    const settleAll = (lacking: number, got: readonly Got[]): void => {
      asked.forEach((one, at) => settle(one, got[at], lacking, parts))
      wake(leases)
    }
    return {
      wants: asked.map(({ want }) => want),
      sinceUs: null,
      answered: settleAll,
      failed: () => settleAll(0, []),
      silent: () => wake(leases),
    }
  }
  return {
    refill: (lease) => {
      if (!questions.isAway()) add(lease)
    },
    release: (lease, tokens) => {
      lease.held -= tokens
      lease.returning += tokens
      expectDebit(lease, -tokens, nowUs())
      add(lease)
    },
    flush,
  }
}

// The leases that hold tokens, so that idle ones can be found without looking at all that are known.

export type HeldLeases = {
  /** Adds tokens to a lease. */
  hold(lease: Lease, tokens: number): void
  /** Those that nobody has used for a while. Looks at some of them each time, in turn. */
  idle(nowUs: number): Lease[]
  all(): Lease[]
}

const lookedAtMax = 1_000
const idleUs = 1_000_000

export function heldLeases(): HeldLeases {
  const listed: Lease[] = []
  let at = 0

  function hold(lease: Lease, tokens: number): void {
    lease.held += tokens
    if (lease.held <= 0 || lease.listed) return
    lease.listed = true
    listed.push(lease)
  }
  function idle(nowUs: number): Lease[] {
    const found: Lease[] = []
    for (let left = Math.min(listed.length, lookedAtMax); left > 0; left--) {
      if (at >= listed.length) at = 0
      const lease = listed[at]
      if (lease === undefined) break
      if (lease.held > 0 && !isIdle(lease, nowUs)) at++
      else if (drop(lease).held > 0) found.push(lease)
    }
    return found
  }
  /** The last one takes its place. */
  function drop(lease: Lease): Lease {
    const last = listed.pop()
    if (last !== undefined && last !== lease) listed[at] = last
    lease.listed = false
    return lease
  }
  return { hold, idle, all: () => listed.filter((lease) => lease.held > 0) }
}

/** What is held of a bucket that is full again is missed by nobody. */
const isIdle = ({ usedAtUs, fullAtUs }: Lease, nowUs: number): boolean =>
  usedAtUs < nowUs - (fullAtUs <= nowUs ? keptUs : idleUs)

// What callers are told of the buckets that they took from.

export const passed = (leases: readonly Lease[], nowUs: number): Consumed => ({
  allowed: true,
  fullInUs: leases.map((lease) => fullInUs(lease, nowUs)),
})

/** `lacking` has a bit for each lease. Those that lack tokens are told such that they say so, and the others do not. */
export function refused(leases: readonly Lease[], tokens: number, lacking: number, nowUs: number): Consumed {
  const told = (lease: Lease, at: number): number => {
    const fitsAt = (lease.rate.burst - tokens) * lease.intervalUs
    if ((lacking & (1 << at)) === 0) return Math.max(0, Math.min(fullInUs(lease, nowUs), fitsAt))
    return Math.max(fullInUs(lease, nowUs), fitsAt + Math.max(1, lease.dryUntilUs - nowUs))
  }
  return { allowed: false, fullInUs: leases.map(told) }
}
