// A reservation: what one gateway has of one bucket, which is tokens that are paid for in Redis ahead of need, and what
// Redis last said of the rest. Plain arithmetic over one small object, which this file alone changes;
// reserved-buckets.ts decides with it.
import { callTimeoutUs, sharesPerGateway, type TokenGrant, type TokenRequest } from './redis-script.ts'
import { intervalUs, overdraftMax, type Rate } from './token-bucket.ts'

export type Reservation = {
  readonly name: string
  rate: Rate
  intervalUs: number
  /** Tokens that are paid for in Redis and not spent. Below 0: spent, and Redis is told of it with the next request. */
  available: number
  /** Tokens that Redis gets back with the next request. */
  releasing: number
  /** When the bucket in Redis is full; while Redis is away, this gateway's share of it. 0: never asked, so full. */
  fullAtUs: number
  /** When Redis last said something of the bucket; after a change of its rate, long ago. */
  heardAtUs: number
  /** Redis had less than was requested: until then it is not asked again. */
  emptyUntilUs: number
  /** Redis had a token left when it last answered: one may be spent before it is asked. */
  allowsOverdraft: boolean
  /** Since when tokens were counted here, without Redis, that it does not know of; 0: there are none. */
  localSinceUs: number
  /** When the last one was. */
  localUntilUs: number
  readonly refill: Refill
  readonly demand: Demand
}
/** What is being requested. */
type Refill = {
  /** Is among those for which Redis is asked next. */
  isQueued: boolean
  /** Since when a request is under way; 0: none is. */
  sinceUs: number
  /** Calls that wait for what it brings, in their order. */
  readonly waiting: (() => void)[]
}
/** What calls ask for. */
type Demand = {
  /** Tokens asked for before this call, since `sinceUs`, refused ones too. */
  tokens: number
  sinceUs: number
  /** How many that were in a second, when last measured. */
  perSecond: number
  /** Tokens that are needed here in the time that a refill is for. */
  refillSize: number
  lastUs: number
}

const secondUs = 1_000_000
/** The time that a refill is for. */
const refillUs = 25_000
/** How long an empty bucket is left alone. Less where its burst comes back sooner, or what comes back would be lost. */
const emptyUs = 20_000
const emptyUsMin = 1_000
/** For buckets that fill slowly: other gateways may have given tokens back. */
const emptyUsMax = 250_000
/** For so long what Redis said is good enough to refuse by. */
const heardForUs = 20_000
/**
 * While a bucket is so full that no other gateway misses them, tokens for as long as this are reserved, and kept so
 * long.
 */
const keptUs = 10_000_000
const idleUs = 1_000_000
/** Redis says nothing for so long where it, or the machine, is only slow. */
const slowUs = 250_000

export const newReservation = (name: string, rate: Rate, nowUs: number): Reservation => ({
  name,
  rate,
  intervalUs: intervalUs(rate),
  available: 0,
  releasing: 0,
  fullAtUs: 0,
  heardAtUs: -Infinity,
  emptyUntilUs: 0,
  allowsOverdraft: true,
  localSinceUs: 0,
  localUntilUs: 0,
  refill: { isQueued: false, sinceUs: 0, waiting: [] },
  demand: { tokens: 0, sinceUs: nowUs, perSecond: 0, refillSize: 0, lastUs: nowUs },
})

/** A new rate holds from now on: what is missing of the bucket stays missing, in tokens. */
export function changeRate(reservation: Reservation, rate: Rate, nowUs: number): void {
  const { rate: former, intervalUs: formerUs } = reservation
  reservation.rate = rate
  if (former.perMinute === rate.perMinute && former.burst === rate.burst) return
  const missing = Math.min(rate.burst, Math.max(0, reservation.fullAtUs - nowUs) / formerUs)
  reservation.intervalUs = intervalUs(rate)
  reservation.fullAtUs = nowUs + Math.ceil(missing * reservation.intervalUs)
  reservation.available = Math.min(reservation.available, rate.burst)
  reservation.emptyUntilUs = 0
  reservation.heardAtUs = -Infinity
}

// What can be said of a bucket.

/** Tokens in the bucket, without those that are reserved here. */
const unreserved = ({ rate, intervalUs, fullAtUs }: Reservation, nowUs: number): number =>
  rate.burst - Math.max(0, fullAtUs - nowUs) / intervalUs

/** What callers are told: reserved tokens are still theirs. */
export const fullInUs = ({ available, fullAtUs, intervalUs }: Reservation, nowUs: number): number =>
  Math.max(0, Math.max(0, fullAtUs - nowUs) - available * intervalUs)

/** One token of a bucket that is full, or stays half full, while no debt is left that Redis does not know of yet. */
export const canOverdraw = (reservation: Reservation, nowUs: number): boolean =>
  reservation.available === 0 &&
  reservation.allowsOverdraft &&
  !isRequested(reservation) &&
  nowUs >= reservation.emptyUntilUs &&
  unreserved(reservation, nowUs) >= Math.min(reservation.rate.burst, reservation.rate.burst / 2 + 1)

export const isKnownToLack = (reservation: Reservation, tokens: number, nowUs: number): boolean =>
  reservation.available < tokens &&
  (nowUs < reservation.emptyUntilUs ||
    (nowUs < reservation.heardAtUs + heardForUs && reservation.available + unreserved(reservation, nowUs) < tokens))

export const wantsRefill = (reservation: Reservation, nowUs: number): boolean =>
  !isRequested(reservation) &&
  (reservation.available < 0 ||
    (reservation.available * 2 < reservation.demand.refillSize && nowUs >= reservation.emptyUntilUs))

const isRequested = ({ refill }: Reservation): boolean => refill.isQueued || refill.sinceUs > 0

/** A refill is under way, and its answer is near enough to wait for. */
export const isAnsweredSoon = ({ refill }: Reservation, nowUs: number): boolean =>
  refill.sinceUs > 0 && nowUs - refill.sinceUs < callTimeoutUs

/** Tokens of a bucket that is full again are not missed elsewhere, and may be kept for longer. */
export const isIdle = ({ demand, fullAtUs }: Reservation, nowUs: number): boolean =>
  demand.lastUs < nowUs - (fullAtUs <= nowUs ? keptUs : idleUs)

/** Of these tokens, how many a bucket can be charged with that is overdrawn by no more than it may be. */
export const chargeable = (reservation: Reservation, tokens: number, nowUs: number): number =>
  Math.min(tokens, Math.floor(unreserved(reservation, nowUs) + reservation.available + overdraftMax))

// What becomes of tokens here.

export function countDemand({ demand }: Reservation, tokens: number, nowUs: number): void {
  demand.tokens += tokens
  demand.lastUs = nowUs
}

/** Of those that are available; what is spent beyond them is a debt. A negative number adds tokens. */
export function spend(reservation: Reservation, tokens: number): void {
  reservation.available -= tokens
}

/** Returns how many more there are than are needed here soon. */
export function putBack(reservation: Reservation, tokens: number): number {
  reservation.available += Math.min(tokens, reservation.rate.burst - reservation.available)
  return reservation.available - reservation.demand.refillSize
}

/** Tokens go back to Redis with the next request. If Redis does not hear of it, they are lost. */
export function release(reservation: Reservation, tokens: number, nowUs: number): void {
  reservation.available -= tokens
  reservation.releasing += tokens
  expectDebit(reservation, -tokens, nowUs)
}

/** Returns how many tokens there are to give back: to a full bucket nothing can be given. */
export function releasable(reservation: Reservation, nowUs: number): number {
  if (reservation.fullAtUs <= nowUs) reservation.available = 0
  return reservation.available
}

/** While Redis is away, from this gateway's share of the bucket. */
export function takeFromShare(reservation: Reservation, tokens: number, gateways: number, nowUs: number): void {
  const takenUs = tokens * reservation.intervalUs * gateways
  reservation.fullAtUs = Math.max(reservation.fullAtUs, nowUs) + takenUs
}

/** Of what is available first, then from the share; Redis is told of it when it is back. */
export function spendLocally(reservation: Reservation, tokens: number, gateways: number, nowUs: number): void {
  const lacking = tokens - Math.max(0, reservation.available)
  reservation.available -= tokens
  if (lacking <= 0) return
  takeFromShare(reservation, lacking, gateways, nowUs)
  reservation.localSinceUs ||= nowUs
  reservation.localUntilUs = nowUs
}

// What is requested of Redis, and what becomes of the answer, in time or late.

/** Returns false when it was queued already. */
export function queueRefill({ refill }: Reservation): boolean {
  const isNew = !refill.isQueued
  refill.isQueued = true
  return isNew
}

export function waitForRefill({ refill }: Reservation, resume: () => void): void {
  refill.waiting.push(resume)
}

/** Calls that wait look again, each once; those that come to wait meanwhile wait for the next answer. */
export function resumeWaiting({ refill: { waiting } }: Reservation): void {
  for (let left = waiting.length; left > 0; left--) waiting.shift()?.()
}

export type PendingRequest = {
  readonly reservation: Reservation
  readonly request: TokenRequest
  readonly isRefill: boolean
  /** Of the reservation, until this was requested. */
  readonly localSinceUs: number
}
/** How many gateways share the bucket, and when Redis was last found to have lost it, on this gateway's clock. */
type Sharing = { gateways(): number; lostAtUs(): number }

/** Debts and what is given back go along, and a refill if none is under way and nothing is given back. */
export function request(reservation: Reservation, need: number, nowUs: number, sharing: Sharing): PendingRequest {
  const { name, rate, intervalUs, refill, localSinceUs } = reservation
  const fullInAtLeastUs = settleLocal(reservation, sharing.lostAtUs(), nowUs)
  const debt = Math.max(0, -reservation.available)
  const debit = debt - reservation.releasing
  const isRefill = refill.sinceUs === 0 && reservation.releasing === 0
  reservation.available += debt
  reservation.releasing = 0
  reservation.localSinceUs = 0
  expectDebit(reservation, debt, nowUs)
  if (isRefill) refill.sinceUs = nowUs
  refill.isQueued = false
  const { size, most } = isRefill ? measureNeed(reservation, sharing.gateways(), nowUs) : nothing
  const extra = Math.max(size, isRefill ? refill.waiting.length : 0)
  return {
    reservation,
    request: { name, intervalUs, burst: rate.burst, debit, fullInAtLeastUs, need, extra, most },
    isRefill,
    localSinceUs,
  }
}

const nothing = { size: 0, most: 0 }

/** What Redis is about to be told: below 0, tokens given back. */
function expectDebit(reservation: Reservation, tokens: number, nowUs: number): void {
  reservation.fullAtUs = Math.max(nowUs, reservation.fullAtUs) + tokens * reservation.intervalUs
}

/**
 * What was counted here while Redis was slow is a debt to the token, as all others went on taking from the bucket.
 * After a longer silence all have counted their shares: then the bucket is said to be as empty as the share. A Redis
 * that has lost the bucket is told what it said of it before.
 */
function settleLocal(reservation: Reservation, lostAtUs: number, nowUs: number): number {
  const { localSinceUs, localUntilUs, fullAtUs, heardAtUs } = reservation
  const isLong = localSinceUs > 0 && localUntilUs - localSinceUs > slowUs
  if (isLong) reservation.available = Math.max(0, reservation.available)
  return isLong || heardAtUs < lostAtUs ? Math.max(0, Math.ceil(fullAtUs - nowUs)) : 0
}

/** How many tokens to reserve, and how many while they are not missed elsewhere, by how many are asked for here. */
function measureNeed({ rate, demand }: Reservation, gateways: number, nowUs: number) {
  const forUs = nowUs - demand.sinceUs
  const perUs = demand.tokens / Math.max(forUs, refillUs)
  if (forUs >= refillUs) {
    demand.perSecond = perUs * secondUs
    demand.tokens = 0
    demand.sinceUs = nowUs
  }
  const perSecond = Math.max(demand.perSecond, perUs * secondUs)
  const share = Math.max(1, Math.floor(rate.perMinute / (60 * sharesPerGateway * gateways)))
  demand.refillSize = Math.min(share, Math.round((perSecond * refillUs) / secondUs))
  const most = Math.max(demand.refillSize, Math.floor((demand.perSecond * keptUs) / secondUs))
  return { size: demand.refillSize, most }
}

/**
 * `grant` is undefined where Redis gave no answer. `isMet`: all of the group that it was requested with was granted.
 */
export function complete(
  { reservation, request: { debit, extra }, isRefill, localSinceUs }: PendingRequest,
  grant: TokenGrant | undefined,
  isMet: boolean,
  gateways: number,
  nowUs: number,
): void {
  if (isRefill) reservation.refill.sinceUs = 0
  if (grant !== undefined) {
    applyGrant(reservation, grant, isMet && grant.granted < extra, gateways, nowUs)
    return
  }
  // Whether it was debited is not known: rather twice than not at all.
  const debt = Math.max(0, debit)
  reservation.available -= debt
  expectDebit(reservation, -debt, nowUs)
  reservation.localSinceUs ||= localSinceUs
}

/** `isShort`: Redis granted less than was requested. */
function applyGrant(
  reservation: Reservation,
  { granted, fullInUs }: TokenGrant,
  isShort: boolean,
  gateways: number,
  nowUs: number,
): void {
  // Of what was counted here since the request, it knows nothing yet.
  reservation.fullAtUs = Math.max(nowUs + fullInUs, reservation.localSinceUs > 0 ? reservation.fullAtUs : 0)
  const left = unreserved(reservation, nowUs)
  reservation.allowsOverdraft = left >= 1
  reservation.heardAtUs = nowUs
  reservation.emptyUntilUs = isShort || left < 1 ? nowUs + emptyForUs(reservation, left, gateways) : 0
  reservation.available += granted
}

/** Of a bucket that fills slowly the other gateways want their tokens too. */
function emptyForUs({ rate, intervalUs }: Reservation, left: number, gateways: number): number {
  const untilNext = left < 1 ? (1 - left) * intervalUs : 0
  const shared = Math.max(emptyUs, 4 * (gateways - 1) * intervalUs)
  const usual = Math.max(emptyUsMin, Math.min(shared, (rate.burst * intervalUs) / 2))
  return Math.ceil(Math.max(Math.min(usual, emptyUsMax), Math.min(untilNext, emptyUsMax)))
}
