// The leases that hold tokens, so that idle ones can be found without looking at all that are known.
import { keptUs, type Lease } from './lease.ts'

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
