// What a lease asks of Redis, and what becomes of the answer, in time or late.
import type { HeldLeases } from './held-leases.ts'
import { expectDebit, learn, measureNeed, type Lease } from './lease.ts'
import type { Got, Questions, Want } from './lease-questions.ts'
import { passed, refused } from './told-of-leases.ts'
import type { Consumed } from './token-bucket.ts'

export type AskingParts = {
  readonly questions: Pick<Questions, 'ask' | 'isAway'>
  readonly held: HeldLeases
  gateways(): number
  nowUs(): number
}
/** `settle` takes the answer, or undefined for none. */
type Asked = { readonly want: Want; settle(got: Got | undefined, lacking: number): void }

const ignore = (): void => {}

/** Behind a call: pays what is owed and leases as many tokens as are needed soon. */
export function refill(lease: Lease, now: number, parts: AskingParts): void {
  if (parts.questions.isAway()) return
  const { want, settle } = ask(lease, 0, now, parts)
  const answered = (lacking: number, [got]: readonly Got[]) => settle(got, lacking)
  parts.questions.ask({ wants: [want], answered, failed: () => settle(undefined, 0), silent: ignore }, false)
}

/** Gives held tokens back. If Redis does not hear of it, they are lost. */
export function release(lease: Lease, tokens: number, now: number, { questions, nowUs }: AskingParts): void {
  lease.held -= tokens
  expectDebit(lease, -tokens, now)
  const { name, intervalUs, rate } = lease
  const nothing = { fullInAtLeastUs: 0, need: 0, extra: 0, most: 0 }
  const wants = [{ name, intervalUs, burst: rate.burst, debit: -tokens, ...nothing }]
  const answered = (_lacking: number, [got]: readonly Got[]) => {
    if (got !== undefined) lease.fullAtUs = nowUs() + got.fullInUs
  }
  questions.ask({ wants, answered, failed: ignore, silent: ignore }, false)
}

/** For a call: all that it lacks is taken in Redis, or nothing. `alone` decides where Redis does not answer. */
export function take(
  leases: readonly Lease[],
  tokens: number,
  now: number,
  alone: () => Consumed,
  parts: AskingParts,
): Promise<Consumed> {
  const { questions, held, nowUs } = parts
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
  function answered(lacking: number, got: readonly Got[]): void {
    asked.forEach(({ settle }, at) => settle(got[at], lacking))
    // Too late for the call: what was taken for it is there for others.
    if (isDecided && lacking === 0) add(wants.map(({ need }) => need))
    if (isDecided) return
    isDecided = true
    if (lacking > 0) add(aside)
    resolve(lacking > 0 ? refused(leases, tokens, lacking, nowUs()) : passed(leases, nowUs()))
  }
  function failed(): void {
    for (const { settle } of asked) settle(undefined, 0)
    decideAlone()
  }
  questions.ask({ wants, answered, failed, silent: decideAlone }, true)
  return promise
}

/** What is owed goes along, and a refill if none is under way. */
function ask(lease: Lease, need: number, now: number, { held, gateways, nowUs }: AskingParts): Asked {
  const debit = Math.max(0, -lease.held)
  lease.held += debit
  expectDebit(lease, debit, now)
  const isRefill = !lease.asking
  lease.asking = true
  const { size, most } = isRefill ? measureNeed(lease, gateways(), now) : { size: 0, most: 0 }
  const fullInAtLeastUs = lease.countedHere ? Math.max(0, Math.ceil(lease.fullAtUs - now)) : 0
  const { name, intervalUs, rate } = lease
  const want: Want = { name, intervalUs, burst: rate.burst, debit, fullInAtLeastUs, need, extra: size, most }

  function settle(got: Got | undefined, lacking: number): void {
    if (isRefill) lease.asking = false
    if (got === undefined) {
      // Whether it was debited is not known: rather twice than not at all.
      lease.held -= debit
      return expectDebit(lease, -debit, nowUs())
    }
    learn(lease, got.fullInUs, lacking === 0 && got.granted < size, gateways(), nowUs())
    held.hold(lease, got.granted)
  }
  return { want, settle }
}
