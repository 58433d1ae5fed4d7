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
  /** The webhook whose turn it is. Undefined when none may have a slot. */
  next(): string | undefined
  take(workspaceId: string): void
  release(workspaceId: string): void
}
export type SlotPools = {
  readonly proven: SlotPool
  readonly unproven: SlotPool
  /** Both, the one that comes next first. */
  inTurn(): readonly SlotPool[]
}

export function slotPools({ inFlight, unprovenShare, workspaceShare }: SlotLimits): SlotPools {
  const unprovenMax = Math.max(1, Math.floor(inFlight * unprovenShare))
  let [taken, turn] = [0, 0]
  const count = (change: number) => void (taken += change)
  const pool = (max: number) => slotPool((held) => Math.min(inFlight - taken, max - held), workspaceShare, count)
  const [proven, unproven] = [pool(inFlight), pool(unprovenMax)]
  const orders = [
    [proven, unproven],
    [unproven, proven],
  ]
  return { proven, unproven, inTurn: () => orders[turn++ % 2] ?? [] }
}

function slotPool(
  freeBeside: (held: number) => number,
  workspaceShare: number,
  count: (change: number) => void,
): SlotPool {
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
