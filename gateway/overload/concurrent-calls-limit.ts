// A limit on the calls that are under way to the service at once, over REST and MCP together. Each key and each
// workspace has a share, as have people who are signed in; the operator has slots of its own, and can act whatever keys
// do. A slot is taken late, when all that the caller has to send in advance is there, and given back when its answer is
// sent or its connection has ended.
import { type Fault, overCapacity } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import { type Shares, openConcurrencyLimit, type ConcurrencyLimit, type Refusal } from '#runtime/concurrency-limit.ts'
import { durationBounds, histogramOf, type Distribution } from '#runtime/metrics/metric.ts'
import type { RequestContext } from '../request/request-context.ts'

/** A third of them for a workspace; all that a key may call at once can wait (contract/rate-limits.ts). */
const ofKeys: Shares = {
  all: { running: 112, waiting: 4_096 },
  each: [
    { running: 40, waiting: 512 },
    { running: 16, waiting: 128 },
  ],
}
const ofOperator: Shares = { all: { running: 16, waiting: 256 }, each: [] }
/**
 * Uploads and downloads last as long as their callers' lines take, so that they have places of their own: however many
 * there are, calls find theirs.
 */
export const ofTransfers: Shares = {
  all: { running: 64, waiting: 512 },
  each: [
    { running: 16, waiting: 128 },
    { running: 8, waiting: 64 },
  ],
}
/** The most connections to the service that are ever needed. */
export const slotsMax = ofKeys.all.running + ofOperator.all.running + ofTransfers.all.running

export type CallSlots = {
  /**
   * Waits for a slot. It is held until the response closes or the returned function is called. Rejects with
   * `unavailable` when there are too many calls, and when the caller disconnects. A promise only where it has to wait.
   */
  take(principal: Principal, context: RequestContext): MaybePromise<() => void>
  /** For how long calls of keys have waited without any slot coming free; 0 when none waits. */
  stuckForMs(): number
  usage(): SlotUsage
}
type LimitUsage = { readonly inUse: number; readonly waiting: number }
type SlotUsage = {
  readonly keys: LimitUsage
  readonly operator: LimitUsage
  /** Of the calls that found no slot free, in seconds. */
  readonly waits: Distribution
}

export function callSlots(waitMs: number, shares: Shares = ofKeys): CallSlots {
  const [keys, operator] = [openConcurrencyLimit(shares, waitMs), openConcurrencyLimit(ofOperator, waitMs)]
  const waits = histogramOf(durationBounds)

  function take(principal: Principal, context: RequestContext): MaybePromise<() => void> {
    const isOperator = principal.kind === 'operator'
    const limit = isOperator ? operator : keys
    const holders = isOperator ? [] : subjectsOf(principal)
    const release = limit.acquireNow(holders)
    return release === null ? wait(limit, holders, context) : heldUntilClosed(release, context)
  }

  async function wait(
    limit: ConcurrencyLimit,
    holders: readonly string[],
    context: RequestContext,
  ): Promise<() => void> {
    const since = performance.now()
    const acquired = await limit.acquire(holders, context.signal)
    if (acquired.kind === 'refused' && acquired.why === 'full') throw refused(acquired.why)
    waits.observe((performance.now() - since) / 1_000)
    if (acquired.kind === 'refused') throw refused(acquired.why)
    return heldUntilClosed(acquired.release, context)
  }
  const usageOf = (limit: ConcurrencyLimit): LimitUsage => ({ inUse: limit.inUse(), waiting: limit.waiting() })
  const usage = (): SlotUsage => ({ keys: usageOf(keys), operator: usageOf(operator), waits: waits.read() })
  return { take, stuckForMs: keys.stuckForMs, usage }
}

function heldUntilClosed(release: () => void, context: RequestContext): () => void {
  context.onClose(release)
  return release
}

/** A call outside of any workspace is the key's alone. */
export const subjectsOf = ({ id, workspaceId }: Principal): string[] => [workspaceId ?? `none of ${id}`, id]

function refused(why: Refusal): Fault {
  const detail =
    why === 'full'
      ? 'Too many requests are waiting for those before them.'
      : 'The requests before this one took too long. Send fewer at a time.'
  return overCapacity('concurrency', detail)
}
