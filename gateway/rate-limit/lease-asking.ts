// What a lease asks of Redis, and what becomes of the answer, in time or late.
import type { HeldLeases } from './held-leases.ts'
import { expectDebit, learn, learnedAtUs, measureNeed, type Lease } from './lease.ts'
import type { Got, Questions, Want } from './lease-questions.ts'

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
