// Token buckets that several gateways share, at the price of few requests: README.md has the algorithm. Each gateway
// reserves tokens in Redis ahead of need and spends them from memory; behind the call it requests more. Here it is
// decided whether a call passes: at once wherever that can be known here, else once Redis has answered.
import { localFullInUs, localWaitUs } from './local-fallback.ts'
import type { RequestGroup, TokenGrant } from './redis-script.ts'
import {
  canOverdraw,
  changeRate,
  chargeable,
  complete,
  countDemand,
  fullInUs,
  isAnsweredSoon,
  isIdle,
  isKnownToLack,
  newReservation,
  putBack,
  queueRefill,
  releasable,
  release,
  request,
  resumeWaiting,
  spend,
  spendLocally,
  takeFromShare,
  waitForRefill,
  wantsRefill,
  type PendingRequest,
  type Reservation,
} from './reservation.ts'
import { callTimeoutUs } from './redis-script.ts'
import { twoGenerationCache } from './two-generation-cache.ts'
import type { Bucket, ChargeTokens, Consumed, ConsumeTokens } from './token-bucket.ts'

export type ReservedBuckets = {
  readonly consume: ConsumeTokens
  readonly charge: ChargeTokens
  /** Gives unused tokens back, of some reservations in turn. */
  releaseIdle(): void
  releaseAll(): void
  /** How many calls were counted without Redis. */
  localCalls(): number
}
/** Where tokens are requested (redis-store.ts). */
export type TokenStore = {
  isAway(): boolean
  request(group: RequestGroup): void
  gather(collect: () => void, isNeededSoon: boolean): void
  gateways(): number
  lostAtUs(): number
}
type Deps = {
  readonly store: TokenStore
  readonly held: HeldReservations
  readonly refills: Refills
  readonly counts: { localCalls: number }
  readonly nowUs: () => number
}

/** A bucket that is forgotten counts as one that was never asked for. */
const reservationsMax = 1_000_000
/** Whole, like all times here. */
export const monotonicUs = (): number => Math.floor(performance.now() * 1_000)

export function reservedBuckets(store: TokenStore, nowUs: () => number = monotonicUs): ReservedBuckets {
  const known = twoGenerationCache<Reservation>(reservationsMax)
  const held = heldReservations()
  const refills = gatheredRefills(store, held, nowUs)
  const deps: Deps = { store, held, refills, counts: { localCalls: 0 }, nowUs }

  function reservationOf({ name, rate }: Bucket, now: number): Reservation {
    let reservation = known.get(name)
    if (reservation === undefined) {
      reservation = newReservation(name, rate, now)
      known.set(name, reservation)
    } else if (reservation.rate !== rate) changeRate(reservation, rate, now)
    return reservation
  }
  const consume: ConsumeTokens = (buckets, tokens) => {
    const now = nowUs()
    const reservations = buckets.map((bucket) => reservationOf(bucket, now))
    if (tokens <= 0) return putAllBack(reservations, -tokens, now, deps)
    const consumed = decide({ reservations, tokens, sinceUs: now }, now, deps)
    for (const reservation of reservations) countDemand(reservation, tokens, now)
    return consumed
  }
  const charge: ChargeTokens = (buckets, tokens) => {
    const now = nowUs()
    const reservations = buckets.map((bucket) => reservationOf(bucket, now))
    for (const reservation of reservations) chargeOne(reservation, tokens, now, deps)
    return passed(reservations, now)
  }
  return {
    consume,
    charge,
    releaseIdle: () => releaseThose(held.idle(nowUs()), deps),
    releaseAll: () => {
      releaseThose(held.all(), deps)
      refills.flush()
    },
    localCalls: () => deps.counts.localCalls,
  }
}

// A call.

type Call = { readonly reservations: readonly Reservation[]; readonly tokens: number; readonly sinceUs: number }

function decide(call: Call, now: number, deps: Deps): Consumed | Promise<Consumed> {
  const { reservations, tokens, sinceUs } = call
  if (haveAll(reservations, tokens)) return spendAll(call, now, deps)
  if (deps.store.isAway()) return consumeLocally(call, deps)
  const isOne = tokens === 1
  if (isOne && reservations.every((each) => each.available > 0 || canOverdraw(each, now)))
    return spendAll(call, now, deps)
  const lacking = bitsOf(reservations, (each) => isKnownToLack(each, tokens, now))
  if (lacking > 0) return refused(reservations, tokens, lacking, now)
  if (now - sinceUs >= callTimeoutUs) return consumeLocally(call, deps)
  if (isOne && reservations.every((each) => each.available > 0 || isAnsweredSoon(each, now)))
    return awaitRefill(call, deps)
  return requestNow(call, deps)
}

function haveAll(reservations: readonly Reservation[], tokens: number): boolean {
  for (const { available } of reservations) if (available < tokens) return false
  return true
}

const bitsOf = (reservations: readonly Reservation[], isSet: (reservation: Reservation) => boolean): number =>
  reservations.reduce((bits, each, at) => (isSet(each) ? bits | (1 << at) : bits), 0)

function spendAll({ reservations, tokens }: Call, now: number, { refills }: Deps): Consumed {
  for (const reservation of reservations) {
    spend(reservation, tokens)
    if (wantsRefill(reservation, now)) refills.refill(reservation)
  }
  return passed(reservations, now)
}

function consumeLocally({ reservations, tokens }: Call, { store, counts, nowUs }: Deps): Consumed {
  counts.localCalls++
  const [gateways, now] = [store.gateways(), nowUs()]
  const waits = reservations.map((each) => localWaitUs(each, tokens, gateways, now))
  const allowed = waits.every((wait) => wait <= 0)
  if (allowed) for (const each of reservations) spendLocally(each, tokens, gateways, now)
  const toldFullInUs = (each: Reservation, at: number): number =>
    localFullInUs(each, { tokens, allowed, waitUs: waits[at] ?? 0 }, gateways, now)
  return { allowed, fullInUs: reservations.map(toldFullInUs) }
}

/**
 * Decides once the refill has come that is under way, or will not come in time. Calls that wait for it ask together.
 */
function awaitRefill(call: Call, deps: Deps): Promise<Consumed> {
  const { promise, resolve } = Promise.withResolvers<Consumed>()
  const lacking = call.reservations.find(({ available }) => available < call.tokens)
  if (lacking !== undefined) waitForRefill(lacking, () => resolve(decide(call, deps.nowUs(), deps)))
  return promise
}

/** All that the call lacks is taken in Redis, or nothing. Where Redis does not answer in time, it is counted here. */
function requestNow(call: Call, deps: Deps): Promise<Consumed> {
  const { reservations, tokens, sinceUs } = call
  const { store, held, nowUs } = deps
  const now = nowUs()
  // No other call spends meanwhile what this one has found here.
  const aside = reservations.map((each) => Math.min(Math.max(each.available, 0), tokens))
  const add = (amounts: readonly number[]): void =>
    reservations.forEach((each, at) => {
      spend(each, -(amounts[at] ?? 0))
      held.note(each)
    })
  add(aside.map((amount) => -amount))
  const pending = reservations.map((each, at) => request(each, tokens - (aside[at] ?? 0), now, store))
  const requests = pending.map((one) => one.request)
  const { promise, resolve } = Promise.withResolvers<Consumed>()
  let isDecided = false

  function timedOut(): void {
    if (!isDecided) {
      isDecided = true
      add(aside)
      resolve(consumeLocally(call, deps))
    }
    resumeAll(reservations)
  }
  function answered(lacking: number, grants: readonly TokenGrant[]): void {
    completeAll(pending, lacking, grants, deps)
    // Too late for the call: what was taken for it is there for others.
    if (isDecided && lacking === 0) add(requests.map(({ need }) => need))
    if (!isDecided) {
      if (lacking > 0) add(aside)
      resolve(lacking > 0 ? refused(reservations, tokens, lacking, nowUs()) : passed(reservations, nowUs()))
    }
    isDecided = true
    resumeAll(reservations)
  }
  function failed(): void {
    completeAll(pending, 0, [], deps)
    timedOut()
  }
  store.request({ requests, sinceUs, answered, failed, timedOut })
  return promise
}

/** Without grants, Redis gave no answer. */
function completeAll(
  pending: readonly PendingRequest[],
  lacking: number,
  grants: readonly TokenGrant[],
  { store, held, nowUs }: Pick<Deps, 'store' | 'held' | 'nowUs'>,
): void {
  pending.forEach((one, at) => {
    complete(one, grants[at], lacking === 0, store.gateways(), nowUs())
    held.note(one.reservation)
  })
}

const resumeAll = (reservations: readonly Reservation[]): void => reservations.forEach(resumeWaiting)

// What callers are told.

const passed = (reservations: readonly Reservation[], nowUs: number): Consumed => ({
  allowed: true,
  fullInUs: reservations.map((each) => fullInUs(each, nowUs)),
})

/** `lacking` has a bit for each bucket. Of those that lack tokens it is told that they do, and of the others not. */
function refused(reservations: readonly Reservation[], tokens: number, lacking: number, nowUs: number): Consumed {
  const told = (each: Reservation, at: number): number => {
    const fitsAt = (each.rate.burst - tokens) * each.intervalUs
    if ((lacking & (1 << at)) === 0) return Math.max(0, Math.min(fullInUs(each, nowUs), fitsAt))
    return Math.max(fullInUs(each, nowUs), fitsAt + Math.max(1, each.emptyUntilUs - nowUs))
  }
  return { allowed: false, fullInUs: reservations.map(told) }
}

// What no call waits for.

/** Redis is told of it with the next request; while it is away, this gateway's share of the bucket has it. */
function chargeOne(reservation: Reservation, tokens: number, now: number, { store, refills }: Deps): void {
  const due = chargeable(reservation, tokens, now)
  if (due <= 0) return
  if (store.isAway()) takeFromShare(reservation, due, store.gateways(), now)
  else {
    spend(reservation, due)
    refills.refill(reservation)
  }
}

/** What is more than is needed here soon goes on to Redis. */
function putAllBack(reservations: readonly Reservation[], tokens: number, now: number, deps: Deps): Consumed {
  const { store, held, refills } = deps
  for (const reservation of tokens === 0 ? [] : reservations) {
    const surplus = putBack(reservation, tokens)
    held.note(reservation)
    if (surplus > 0 && !store.isAway()) refills.release(reservation, surplus)
  }
  return passed(reservations, now)
}

function releaseThose(reservations: readonly Reservation[], { store, refills, nowUs }: Deps): void {
  if (store.isAway()) return
  const now = nowUs()
  for (const reservation of reservations) {
    const tokens = releasable(reservation, now)
    if (tokens > 0) refills.release(reservation, tokens)
  }
}

type Refills = {
  /** Behind a call: pays debts and reserves as many tokens as are needed soon. */
  refill(reservation: Reservation): void
  release(reservation: Reservation, tokens: number): void
  /** Requests now. */
  flush(): void
}

const refillsPerGroupMax = 128

/** Of many reservations in one group: tokens that are debts, reserved ahead or given back. */
function gatheredRefills(store: TokenStore, held: HeldReservations, nowUs: () => number): Refills {
  let queue: Reservation[] = []

  function add(reservation: Reservation): void {
    if (queueRefill(reservation)) queue.push(reservation)
    if (queue.length >= refillsPerGroupMax) flush()
    // Where tokens are needed all the time they would run out meanwhile.
    else store.gather(flush, reservation.demand.refillSize > 0)
  }
  function flush(): void {
    // The others were requested since, for a call.
    const reservations = queue.filter(({ refill }) => refill.isQueued)
    queue = []
    if (reservations.length > 0) store.request(groupOf(reservations))
  }
  function groupOf(reservations: readonly Reservation[]): RequestGroup {
    const now = nowUs()
    const pending = reservations.map((each) => request(each, 0, now, store))
    const completeThese = (lacking: number, grants: readonly TokenGrant[]): void => {
      completeAll(pending, lacking, grants, { store, held, nowUs })
      resumeAll(reservations)
    }
    return {
      requests: pending.map((one) => one.request),
      sinceUs: null,
      answered: completeThese,
      failed: () => completeThese(0, []),
      timedOut: () => resumeAll(reservations),
    }
  }
  return {
    refill: (reservation) => {
      if (!store.isAway()) add(reservation)
    },
    release: (reservation, tokens) => {
      release(reservation, tokens, nowUs())
      add(reservation)
    },
    flush,
  }
}

type HeldReservations = {
  /** Called when tokens were added to a reservation. */
  note(reservation: Reservation): void
  /** Those with tokens that no call has used for a while. Looks at some of them each time, in turn. */
  idle(nowUs: number): Reservation[]
  all(): Reservation[]
}

const lookedAtMax = 1_000

/** The reservations that hold tokens, so that idle ones are found without looking at all that are known. */
function heldReservations(): HeldReservations {
  const held = new Set<Reservation>()
  /** Goes on where it stopped; what is added meanwhile comes at the end. */
  let inTurn = held.values()

  function idle(nowUs: number): Reservation[] {
    const found: Reservation[] = []
    for (let left = Math.min(held.size, lookedAtMax); left > 0; left--) {
      let next = inTurn.next()
      if (next.done === true) {
        inTurn = held.values()
        next = inTurn.next()
      }
      if (next.done === true) break
      const reservation = next.value
      if (reservation.available > 0 && !isIdle(reservation, nowUs)) continue
      held.delete(reservation)
      if (reservation.available > 0) found.push(reservation)
    }
    return found
  }
  return {
    note: (reservation) => {
      if (reservation.available > 0) held.add(reservation)
    },
    idle,
    all: () => [...held].filter(({ available }) => available > 0),
  }
}
