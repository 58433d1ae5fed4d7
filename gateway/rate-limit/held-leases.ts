// The leases that hold tokens, so that idle ones can be found without looking at all that are known.
import type { Lease } from './lease.ts'

export type HeldLeases = {
  /** Adds tokens to a lease. */
  hold(lease: Lease, tokens: number): void
  /** Those that were last used before. Looks at some of them each time, in turn. */
  idle(usedBeforeUs: number): Lease[]
  all(): Lease[]
}

const lookedAtMax = 5_000

export function heldLeases(): HeldLeases {
  let held: Lease[] = []

  function hold(lease: Lease, tokens: number): void {
    lease.held += tokens
    if (lease.held <= 0 || lease.listed) return
    lease.listed = true
    held.push(lease)
  }
  function idle(usedBeforeUs: number): Lease[] {
    const looked = held.slice(0, lookedAtMax)
    held = held.slice(lookedAtMax)
    for (const lease of looked) lease.listed = false
    const isIdle = (lease: Lease) => lease.held > 0 && lease.usedAtUs < usedBeforeUs
    for (const lease of looked) if (!isIdle(lease)) hold(lease, 0)
    return looked.filter(isIdle)
  }
  return { hold, idle, all: () => held.filter((lease) => lease.held > 0) }
}
