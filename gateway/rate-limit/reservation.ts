// What one gateway knows of one bucket: the tokens it holds, taken from Redis ahead of need, and what Redis last said of
// the rest. Plain arithmetic over one small object; gateway/rate-limit/reserved-buckets.ts acts on it.

import { intervalUs, type Rate } from './token-bucket.ts'
import type { HeldLeases } from './reserved-buckets.ts'
import type { Got, Questions, Want } from './redis-store.ts'

export type Lease = {
  readonly name: string
  rate: Rate
  intervalUs: number
  /** Tokens that are paid for in Redis and not spent. Below 0: spent, and Redis is told of it with the next question. */
  held: number
  /** Held tokens that Redis gets back with the next question. */
  returning: number
  /** When the bucket in Redis is full; while Redis is away, this gateway's share of it. 0: never asked, so full. */
  fullAtUs: number
  /** Redis had less than was asked for: until then it is not asked again. */
  dryUntilUs: number
  /** Until then it is known well enough to refuse by. */
  knownUntilUs: number
  /** Is in the list of those that are asked for next. */
  queued: boolean
  /** Since when a refill is under way; 0: none is. */
  askingSinceUs: number
  /** Calls that wait for what the refill brings, in their order. */
  waiting: (() => void)[]
  /** Redis had a token left when it was last asked: one may be spent on credit. */
  mayOwe: boolean
  /** Since when tokens were counted here, without Redis, that it does not know of; 0: there are none. */
  aloneSinceUs: number
  /** When the last one was. */
  aloneUntilUs: number
  /** Tokens asked for before this call, since `demandSinceUs`, refused ones too; and how many that were in a second, when last looked. */
  demand: number
  demandSinceUs: number
  perSecond: number
  /** Tokens that are needed here in the time that a refill is for. */
  size: number
  usedAtUs: number
  /** Is in the list of those that may have something to give back. */
  listed: boolean
}

const secondUs = 1_000_000
/** The time that a refill is for. */
const aheadUs = 25_000
/** How long a dry bucket is left alone. Less where its burst comes back sooner, or what comes back would be lost. */
const dryUs = 20_000
const dryUsMin = 1_000
/** For buckets that fill slowly: others may have given tokens back. */
const dryUsMax = 250_000
const knownUs = 20_000
/** A call waits no longer for what was asked. */
export const waitUs = 20_000
/** While a bucket is so full that nobody will miss them, tokens for as long as this are leased, and kept so long. */
export const keptUs = 10_000_000
/** One lease takes at most this part of what is there, for each gateway. */
export const sharesPerGateway = 8

export const newLease = (name: string, rate: Rate, nowUs: number): Lease => ({
  ...{ name, rate, intervalUs: intervalUs(rate), held: 0, returning: 0 },
  ...{ fullAtUs: 0, dryUntilUs: 0, knownUntilUs: 0 },
  ...{ queued: false, askingSinceUs: 0, waiting: [], mayOwe: true, aloneSinceUs: 0, aloneUntilUs: 0 },
  ...{ demand: 0, demandSinceUs: nowUs, perSecond: 0, size: 0, usedAtUs: nowUs, listed: false },
})

/** A new rate holds from now on: what is missing of the bucket stays missing, in tokens. */
export function changeRate(lease: Lease, rate: Rate, nowUs: number): void {
  const { rate: former, intervalUs: formerUs } = lease
  lease.rate = rate
  if (former.perMinute === rate.perMinute && former.burst === rate.burst) return
  const missing = Math.min(rate.burst, Math.max(0, lease.fullAtUs - nowUs) / formerUs)
  lease.intervalUs = intervalUs(rate)
  lease.fullAtUs = nowUs + Math.ceil(missing * lease.intervalUs)
  lease.held = Math.min(lease.held, rate.burst)
  lease.dryUntilUs = lease.knownUntilUs = 0
}

/** Without what is held here. */
export const roomOf = ({ rate, intervalUs, fullAtUs }: Lease, nowUs: number): number =>
  rate.burst - Math.max(0, fullAtUs - nowUs) / intervalUs

/** What Redis is about to be told: below 0, tokens given back. */
export function expectDebit(lease: Lease, tokens: number, nowUs: number): void {
  lease.fullAtUs = Math.max(nowUs, lease.fullAtUs) + tokens * lease.intervalUs
}

/** What callers are told: held tokens are still theirs. */
export const fullInUs = ({ held, fullAtUs, intervalUs }: Lease, nowUs: number): number =>
  Math.max(0, Math.max(0, fullAtUs - nowUs) - held * intervalUs)

/** One token of a bucket that is full, or stays half full, while nothing is owed that Redis does not know of yet. */
export const mayCredit = (lease: Lease, nowUs: number): boolean =>
  lease.held === 0 &&
  lease.mayOwe &&
  !isAskedFor(lease) &&
  nowUs >= lease.dryUntilUs &&
  roomOf(lease, nowUs) >= Math.min(lease.rate.burst, lease.rate.burst / 2 + 1)

export const isKnownToLack = (lease: Lease, tokens: number, nowUs: number): boolean =>
  lease.held < tokens &&
  (nowUs < lease.dryUntilUs || (nowUs < lease.knownUntilUs && lease.held + roomOf(lease, nowUs) < tokens))

export const wantsRefill = (lease: Lease, nowUs: number): boolean =>
  !isAskedFor(lease) && (lease.held < 0 || (lease.held * 2 < lease.size && nowUs >= lease.dryUntilUs))

const isAskedFor = ({ queued, askingSinceUs }: Lease): boolean => queued || askingSinceUs > 0

/** A refill is under way, and its answer is near enough to wait for. */
export const isAnsweredSoon = ({ askingSinceUs }: Lease, nowUs: number): boolean =>
  askingSinceUs > 0 && nowUs - askingSinceUs < waitUs

/** How many tokens to lease: `size` if they are there, `most` while the bucket is so full that nobody will miss them. */
export function measureNeed(lease: Lease, gateways: number, nowUs: number): { size: number; most: number } {
  const elapsedUs = nowUs - lease.demandSinceUs
  const perUs = lease.demand / Math.max(aheadUs, elapsedUs)
  if (elapsedUs >= aheadUs) {
    lease.perSecond = perUs * secondUs
    lease.demand = 0
    lease.demandSinceUs = nowUs
  }
  const perSecond = Math.max(lease.perSecond, perUs * secondUs)
  const share = Math.max(1, Math.floor(lease.rate.perMinute / (60 * sharesPerGateway * gateways)))
  lease.size = Math.min(share, Math.round((perSecond * aheadUs) / secondUs))
  return { size: lease.size, most: Math.max(lease.size, Math.floor((lease.perSecond * keptUs) / secondUs)) }
}

/** What Redis said. `isShort`: it granted less than it was asked for. */
export function learn(lease: Lease, fullIn: number, isShort: boolean, gateways: number, nowUs: number): void {
  // Of what was counted here since it was asked, it knows nothing yet.
  lease.fullAtUs = Math.max(nowUs + fullIn, lease.aloneSinceUs > 0 ? lease.fullAtUs : 0)
  const room = roomOf(lease, nowUs)
  lease.mayOwe = room >= 1
  lease.knownUntilUs = nowUs + knownUs
  lease.dryUntilUs = isShort || room < 1 ? nowUs + dryWaitUs(lease, room, gateways) : 0
}

/** When Redis last said something of the bucket; after a change of its rate, long ago. */
export const learnedAtUs = ({ knownUntilUs }: Lease): number => knownUntilUs - knownUs

/** Of a bucket that fills slowly the other gateways want their tokens too. */
function dryWaitUs({ rate, intervalUs }: Lease, room: number, gateways: number): number {
  const untilNext = room < 1 ? (1 - room) * intervalUs : 0
  const shared = Math.max(dryUs, 4 * (gateways - 1) * intervalUs)
  const usual = Math.max(dryUsMin, Math.min(shared, (rate.burst * intervalUs) / 2))
  return Math.ceil(Math.max(Math.min(usual, dryUsMax), Math.min(untilNext, dryUsMax)))
}

// What a lease asks of Redis, and what becomes of the answer, in time or late.

export type AskingParts = {
  readonly questions: Pick<Questions, 'ask' | 'gather' | 'isAway'>
  readonly held: HeldLeases
  gateways(): number
  /** When Redis was last found to have lost its buckets, on this gateway's clock. */
  lostAtUs(): number
  nowUs(): number
}
export type Asked = {
  readonly lease: Lease
  readonly want: Want
  readonly isRefill: boolean
  /** Of the lease, until this was asked. */
  readonly aloneSinceUs: number
}

/** Redis says nothing for so long where it, or the machine, is only slow. */
const slowUs = 250_000

/** What is owed or given back goes along, and a refill if none is under way and nothing is given back. */
export function ask(lease: Lease, need: number, now: number, { gateways, lostAtUs }: AskingParts): Asked {
  const { aloneSinceUs, name, intervalUs, rate } = lease
  const fullInAtLeastUs = settledAlone(lease, lostAtUs(), now)
  const owed = Math.max(0, -lease.held)
  const debit = owed - lease.returning
  lease.held += owed
  const isRefill = lease.askingSinceUs === 0 && lease.returning === 0
  lease.returning = lease.aloneSinceUs = 0
  expectDebit(lease, owed, now)
  if (isRefill) lease.askingSinceUs = now
  lease.queued = false
  const { size, most } = isRefill ? measureNeed(lease, gateways(), now) : nothing
  const extra = Math.max(size, isRefill ? lease.waiting.length : 0)
  return {
    ...{ lease, isRefill, aloneSinceUs },
    want: { name, intervalUs, burst: rate.burst, debit, fullInAtLeastUs, need, extra, most },
  }
}

const nothing = { size: 0, most: 0 }

/**
 * What was counted here while Redis was slow is owed to the token, as everybody else went on taking from the bucket. After
 * a longer silence all have counted their shares: then the bucket is said to be as empty as the share. A Redis that has
 * lost the bucket is told what it said of it before.
 */
function settledAlone(lease: Lease, lostAtUs: number, now: number): number {
  const { aloneSinceUs, aloneUntilUs, fullAtUs } = lease
  const isLong = aloneSinceUs > 0 && aloneUntilUs - aloneSinceUs > slowUs
  if (isLong) lease.held = Math.max(0, lease.held)
  return isLong || learnedAtUs(lease) < lostAtUs ? Math.max(0, Math.ceil(fullAtUs - now)) : 0
}

/** `got` is undefined where Redis gave no answer. */
export function settle(
  { lease, want, isRefill, aloneSinceUs }: Asked,
  got: Got | undefined,
  lacking: number,
  { held, gateways, nowUs }: AskingParts,
): void {
  if (isRefill) lease.askingSinceUs = 0
  if (got !== undefined) {
    learn(lease, got.fullInUs, lacking === 0 && got.granted < want.extra, gateways(), nowUs())
    return held.hold(lease, got.granted)
  }
  // Whether it was debited is not known: rather twice than not at all.
  const debit = Math.max(0, want.debit)
  lease.held -= debit
  expectDebit(lease, -debit, nowUs())
  lease.aloneSinceUs ||= aloneSinceUs
}

/** Those who wait for these leases look again, each once; who comes to wait meanwhile waits for the next answer. */
export function wake(leases: Iterable<Lease>): void {
  for (const { waiting } of leases) for (let left = waiting.length; left > 0; left--) waiting.shift()?.()
}
