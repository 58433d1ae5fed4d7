// Whether a call passes: at once wherever that can be known here, else once Redis has answered.
import type { Refills } from './gathered-refills.ts'
import type { AskingParts } from './lease-asking.ts'
import { isAnsweredSoon, isKnownToLack, mayCredit, waitUs, wantsRefill, type Lease } from './lease.ts'
import { passed, refused } from './told-of-leases.ts'
import type { Consumed } from './token-bucket.ts'
import { take, waitForRefill, type Call } from './waiting-calls.ts'

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
