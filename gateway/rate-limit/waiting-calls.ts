// Calls that wait for Redis. Each asks for all that it lacks, except where a refill that is under way may bring it: those
// who wait for the same lease ask together.
import { ask, settle, wake, type AskingParts } from './lease-asking.ts'
import type { Lease } from './lease.ts'
import type { Got } from './lease-questions.ts'
import { passed, refused } from './told-of-leases.ts'
import type { Consumed } from './token-bucket.ts'

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
