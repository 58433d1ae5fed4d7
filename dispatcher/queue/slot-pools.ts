// Who may have another of the dispatcher's slots. Webhooks that have proven nothing, since they are new or have failed,
// share a part of all slots: however many of them hang, the rest is for those that deliver. And no workspace has more slots
// than are still free: so one that takes all it can leaves half, and several of them leave some too.
import { workspaceRound } from './workspace-round.ts'

export type SlotLimits = {
  readonly inFlight: number
  /** The part of all slots for webhooks that have proven nothing. */
  readonly unprovenShare: number
  /** How many slots one workspace may have for each that is free. */
  readonly workspaceShare: number
}
export type SlotPool = {
  free(): number
  freeTo(workspaceId: string): number
  /** Waits for its turn to have a slot. */
  join(workspaceId: string, webhookId: string): void
  take(workspaceId: string): void
  release(workspaceId: string): void
}
export type SlotPools = {
  readonly proven: SlotPool
  readonly unproven: SlotPool
  /** The webhook whose turn it is, of the one pool and the other by turns. Undefined when none may have a slot. */
  next(): { readonly webhookId: string; readonly pool: SlotPool } | undefined
}

export function slotPools({ inFlight, unprovenShare, workspaceShare }: SlotLimits): SlotPools {
  let taken = 0
  const count = (change: number) => void (taken += change)
  const pool = (max: number) => slotPool((held) => Math.min(inFlight - taken, max - held), workspaceShare, count)
  const [proven, unproven] = [pool(inFlight), pool(Math.max(1, Math.floor(inFlight * unprovenShare)))]
  let inTurn = [proven, unproven]

  function next() {
    inTurn = inTurn.toReversed()
    for (const one of inTurn) {
      const webhookId = one.next()
      if (webhookId !== undefined) return { webhookId, pool: one }
    }
    return undefined
  }
  return { proven, unproven, next }
}

type PoolWithRound = SlotPool & { next(): string | undefined }

function slotPool(
  freeBeside: (held: number) => number,
  workspaceShare: number,
  count: (change: number) => void,
): PoolWithRound {
  const heldBy = new Map<string, number>()
  let held = 0
  const free = () => Math.max(0, freeBeside(held))
  // At least one: a workspace that may start no more has one in flight, and is woken when that has ended.
  const freeTo = (workspaceId: string) =>
    Math.min(free(), Math.max(1, Math.floor(free() * workspaceShare)) - (heldBy.get(workspaceId) ?? 0))
  const round = workspaceRound((workspaceId) => freeTo(workspaceId) > 0)

  function change(workspaceId: string, by: number): void {
    const now = (heldBy.get(workspaceId) ?? 0) + by
    if (now === 0) heldBy.delete(workspaceId)
    else heldBy.set(workspaceId, now)
    held += by
    count(by)
  }
  return {
    ...{ free, freeTo, join: round.join },
    next: () => (free() > 0 ? round.next() : undefined),
    take: (workspaceId) => change(workspaceId, 1),
    release: (workspaceId) => (change(workspaceId, -1), round.wake(workspaceId)),
  }
}
