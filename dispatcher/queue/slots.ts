// Slots: how many requests a webhook may have in flight at this dispatcher, and which webhook gets the next of all
// slots.
//
// A webhook has few at first, one more with every delivery, half as many after a failure. So a receiver that hangs
// holds few slots before anything is known of it, and fewer afterwards. Webhooks in slow start, which are new or have
// failed, share a part of all slots: however many of them hang, the rest is for those that deliver. And no workspace
// has more slots than are still free: so one that takes all it can leaves half, and several of them leave some too.

/** What an answer, or the lack of one, says of its receiver. One that refuses a delivery is healthy all the same. */
export type Verdict = 'delivered' | 'refused' | 'unhealthy'

export type WebhookSlots = {
  of(webhookId: string): number
  /** Whether it has left slow start: it has delivered, and not failed so often since that it is where it began. */
  isEstablished(webhookId: string): boolean
  note(webhookId: string, verdict: Verdict): void
}

export const slotsAtFirst = 2
const slotsMax = 10
/** Of more webhooks, those that were heard of longest ago begin anew. */
const knownMax = 20_000

export function webhookSlots(): WebhookSlots {
  const known = new Map<string, number>()
  const of = (webhookId: string) => known.get(webhookId) ?? slotsAtFirst

  function note(webhookId: string, verdict: Verdict): void {
    const slots = slotsAfter(of(webhookId), verdict)
    known.delete(webhookId)
    known.set(webhookId, slots)
    if (known.size > knownMax) known.delete(known.keys().next().value ?? '')
  }
  return { of, isEstablished: (webhookId) => of(webhookId) > slotsAtFirst, note }
}

function slotsAfter(slots: number, verdict: Verdict): number {
  switch (verdict) {
    case 'delivered':
      return Math.min(slots + 1, slotsMax)
    case 'refused':
      return slots
    case 'unhealthy':
      return Math.max(1, Math.floor(slots / 2))
    default:
      return verdict satisfies never
  }
}

export type SlotLimits = {
  readonly inFlight: number
  /** The part of all slots for webhooks in slow start. */
  readonly slowStartShare: number
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
  readonly established: SlotPool
  readonly slowStart: SlotPool
  /** The webhook whose turn it is, of the one pool and the other by turns. Undefined when none may have a slot. */
  next(): { readonly webhookId: string; readonly pool: SlotPool } | undefined
}

export function slotPools({ inFlight, slowStartShare, workspaceShare }: SlotLimits): SlotPools {
  let taken = 0
  function count(change: number): void {
    taken += change
  }
  const pool = (max: number) => slotPool((held) => Math.min(inFlight - taken, max - held), workspaceShare, count)
  const established = pool(inFlight)
  const slowStart = pool(Math.max(1, Math.floor(inFlight * slowStartShare)))
  let inTurn = [established, slowStart]

  function next() {
    inTurn = inTurn.toReversed()
    for (const one of inTurn) {
      const webhookId = one.next()
      if (webhookId !== undefined) return { webhookId, pool: one }
    }
    return undefined
  }
  return { established, slowStart, next }
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
    free,
    freeTo,
    join: round.join,
    next: () => (free() > 0 ? round.next() : undefined),
    take: (workspaceId) => change(workspaceId, 1),
    release: (workspaceId) => {
      change(workspaceId, -1)
      round.wake(workspaceId)
    },
  }
}

/**
 * Round robin: workspaces take turns, and within each of them its webhooks do. However many webhooks a workspace has,
 * the next one of another workspace waits behind at most one of them.
 */
type WorkspaceRound = {
  /** Adds it at the end; one that is in the round already keeps its position. */
  join(workspaceId: string, webhookId: string): void
  /** Takes the next webhook out of the round. A workspace that may start nothing is passed over until it is woken. */
  next(): string | undefined
  /** Takes a workspace that was passed over back into the round, at the end. */
  wake(workspaceId: string): void
}

function workspaceRound(mayStart: (workspaceId: string) => boolean): WorkspaceRound {
  const workspaces = new Map<string, Set<string>>()
  const asleep = new Map<string, Set<string>>()

  function join(workspaceId: string, webhookId: string): void {
    const waiting = asleep.get(workspaceId)
    if (waiting !== undefined) {
      waiting.add(webhookId)
      return
    }
    const webhookIds = workspaces.get(workspaceId) ?? new Set()
    workspaces.set(workspaceId, webhookIds.add(webhookId))
  }

  function next(): string | undefined {
    for (const [workspaceId, webhookIds] of workspaces) {
      workspaces.delete(workspaceId)
      if (!mayStart(workspaceId)) {
        asleep.set(workspaceId, webhookIds)
        continue
      }
      for (const webhookId of webhookIds) {
        webhookIds.delete(webhookId)
        if (webhookIds.size > 0) workspaces.set(workspaceId, webhookIds)
        return webhookId
      }
    }
    return undefined
  }

  function wake(workspaceId: string): void {
    const webhookIds = asleep.get(workspaceId)
    if (webhookIds === undefined) return
    asleep.delete(workspaceId)
    workspaces.set(workspaceId, webhookIds)
  }
  return { join, next, wake }
}
