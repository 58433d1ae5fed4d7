// Decides which delivery starts next. Deliveries are queued by webhook, started round robin, and known by id until
// their result is written. Nothing here is durable: what finds no capacity is refused, and stays in the database for
// later. The scheduler also knows how many more deliveries it may take, what fan-outs that are under way may count on,
// and which webhooks had to leave some in the database.
import type { LeasedDelivery } from './leases.ts'
import { webhookQueues, type Dequeued, type QueueLimits, type Queued, type WebhookQueues } from './webhook-queues.ts'
import { slotsAtFirst, webhookSlots, type Verdict, type WebhookSlots } from './slots.ts'

export type Scheduler = {
  /**
   * Returns the deliveries that there is no capacity for, and those that had to go for others. One that is known
   * already is neither queued again nor returned. `cutOff` names webhooks that have more in the database than was
   * claimed of them.
   */
  enqueue(deliveries: readonly LeasedDelivery[], cutOff?: readonly string[]): LeasedDelivery[]
  /** For one fan-out. It ends when its deliveries are queued. */
  reserve(): Reservation
  capacity(webhookIds: readonly string[]): Capacity
  /** The webhooks that have deliveries here and whose ids come after this one: the first of them, in order. */
  webhooksAfter(webhookId: string, max: number): string[]
  /** The ids of all deliveries from the moment that they are queued until their result is written. */
  acceptedIds(): string[]
  usage(): { readonly queued: number; readonly inFlight: number }
  /** Returns what waits of these webhooks. */
  withdraw(webhookIds: readonly string[]): LeasedDelivery[]
  /** Starts what may start. */
  dispatch(): void
  /** Starts nothing more. Returns the deliveries that have not started. */
  stop(): LeasedDelivery[]
  /** Resolves when nothing is running. */
  idle(): Promise<void>
}

/** A request that waits takes some 20 KiB, a delivery that waits for its slot less than one. */
export const standardLimits: QueueLimits = {
  inFlight: 2_000,
  slowStartShare: 0.5,
  workspaceShare: 1,
  queued: 10_000,
  waitingPerSlot: 10,
  roomKept: 500,
  slotShare: 0.01,
}

/** Called with what the answer says of the receiver; without an answer, when the delivery is over. */
export type ReleaseSlot = (verdict?: Verdict) => void

export type Work = {
  /** Delivers and writes the result; never rejects. May call `releaseSlot` before, when the receiver has answered. */
  readonly run: (delivery: LeasedDelivery, releaseSlot: ReleaseSlot) => Promise<void>
  readonly mayStart: () => boolean
  /** Half of this webhook's queue is free again, after some of its deliveries were refused. */
  readonly onCapacity: (webhookId: string) => void
}

export function openScheduler(
  { run, mayStart, onCapacity }: Work,
  limits: QueueLimits = standardLimits,
  slots: WebhookSlots = webhookSlots(),
): Scheduler {
  const queues = webhookQueues<LeasedDelivery>(limits, slots)
  const capacities = openCapacities(queues, { mayStart, onCapacity })
  const accepted = acceptedDeliveries()

  function enqueue(deliveries: readonly LeasedDelivery[], cutOff: readonly string[] = []): LeasedDelivery[] {
    const unaccepted = deliveries.filter((delivery) => !accepts(delivery))
    dispatch()
    const left = [...unaccepted, ...accepted.release(queues.makeRoom())]
    capacities.noteRefused(...cutOff, ...left.map(({ webhookId }) => webhookId))
    return left
  }

  function accepts(delivery: LeasedDelivery): boolean {
    if (accepted.has(delivery.id)) return true
    if (queues.capacityOf(delivery.webhookId) <= 0) return false
    accepted.add(delivery.id)
    queues.enqueue(delivery)
    return true
  }

  function dispatch(): void {
    while (mayStart()) {
      const next = queues.dequeue()
      if (next === undefined) return
      start(next)
    }
  }

  function start({ item: delivery, release }: Dequeued<LeasedDelivery>): void {
    const { webhookId } = delivery
    const releaseSlot = once((verdict?: Verdict) => {
      if (verdict !== undefined) slots.note(webhookId, verdict)
      release()
      dispatch()
    })
    accepted.track(delivery.id, run(delivery, releaseSlot), releaseSlot)
    capacities.noteFreed(webhookId)
  }

  const perWebhook = slotsAtFirst * limits.waitingPerSlot
  return {
    enqueue,
    reserve: capacities.reserve,
    capacity: (webhookIds) => capacities.read(webhookIds, perWebhook),
    webhooksAfter: (webhookId, max) => firstAfter(queues.webhookIds(), webhookId, max),
    acceptedIds: accepted.ids,
    usage: () => ({ queued: queues.size(), inFlight: queues.inFlight() }),
    withdraw: (webhookIds) => accepted.release(webhookIds.flatMap(queues.withdraw)),
    dispatch,
    stop: queues.close,
    idle: accepted.idle,
  }
}

const firstAfter = (ids: Iterable<string>, after: string, max: number): string[] =>
  [...ids]
    .filter((id) => id > after)
    .toSorted()
    .slice(0, max)

/** Deliveries from the moment that they are queued until their result is written. */
function acceptedDeliveries() {
  const ids = new Set<string>()
  const running = new Set<Promise<void>>()
  return {
    has: (id: string): boolean => ids.has(id),
    ids: (): string[] => [...ids],
    add(id: string): void {
      ids.add(id)
    },
    release(waiting: LeasedDelivery[]): LeasedDelivery[] {
      waiting.forEach(({ id }) => ids.delete(id))
      return waiting
    },
    track(id: string, work: Promise<void>, onDone: () => void): void {
      const done = work.finally(() => {
        ids.delete(id)
        running.delete(done)
        onDone()
      })
      running.add(done)
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function once(act: ReleaseSlot): ReleaseSlot {
  let acted = false
  return (verdict) => {
    if (acted) return
    acted = true
    act(verdict)
  }
}

/** How many deliveries may be queued. */
export type Capacity = {
  readonly free: number
  /** Of a webhook that is not in `known`. */
  readonly perWebhook: number
  readonly known: ReadonlyMap<string, number>
}

/** What one fan-out may count on, beside what it and the others under way were answered yes for. */
export type Reservation = {
  /** May one more delivery of this webhook be queued? */
  readonly hasCapacity: (webhookId: string) => boolean
  /** Would one more delivery of this webhook start at once? */
  readonly hasSlot: (queued: Queued) => boolean
  /** Its deliveries are queued, or will not be. */
  readonly end: () => void
}

type Capacities = {
  /** The capacity of these webhooks, and of one that is not known. */
  read(webhookIds: readonly string[], perWebhook: number): Capacity
  reserve(): Reservation
  /** These webhooks had to leave some in the database. */
  noteRefused(...webhookIds: readonly string[]): void
  /** A delivery of this webhook has left the queue. */
  noteFreed(webhookId: string): void
}

type Queues = Pick<WebhookQueues<never>, 'capacity' | 'capacityOf' | 'freeSlots' | 'waitingMax' | 'has'>

function openCapacities(queues: Queues, { mayStart, onCapacity }: Pick<Work, 'mayStart' | 'onCapacity'>): Capacities {
  const [room, slots] = [countsByKey(), countsByKey()]
  const refused = new Set<string>()

  // A webhook with nothing here would never be freed; the claimer comes round to it by itself.
  const comesHere = (webhookId: string): boolean => queues.has(webhookId) || room.of(webhookId) > 0
  const noteRefused = (...ids: readonly string[]): void => ids.filter(comesHere).forEach((id) => refused.add(id))

  function noteFreed(webhookId: string): void {
    const isHalfFree = () => queues.capacityOf(webhookId) >= queues.waitingMax(webhookId) / 2
    if (refused.has(webhookId) && isHalfFree() && refused.delete(webhookId)) onCapacity(webhookId)
  }

  function read(webhookIds: readonly string[], perWebhook: number): Capacity {
    const known = new Map(webhookIds.map((webhookId) => [webhookId, queues.capacityOf(webhookId)]))
    for (const [webhookId, free] of known) if (free <= 0) noteRefused(webhookId)
    return { free: queues.capacity(), perWebhook, known }
  }

  function reserve(): Reservation {
    const [ownRoom, ownSlots] = [room.adder(), slots.adder()]
    const hasRoom = (webhookId: string): boolean =>
      queues.capacityOf(webhookId) > room.of(webhookId) && queues.capacity() > room.sum()
    return {
      hasCapacity(webhookId) {
        const free = hasRoom(webhookId)
        if (free) ownRoom.add(webhookId)
        else noteRefused(webhookId)
        return free
      },
      hasSlot(queued) {
        const free = mayStart() && queues.freeSlots(queued) > slots.of(queued.webhookId)
        if (free) ownSlots.add(queued.webhookId)
        return free
      },
      end() {
        ownSlots.takeBack()
        ownRoom.takeBack().forEach(noteFreed)
      },
    }
  }
  return { read, reserve, noteRefused, noteFreed }
}

/** Counts that several add to, and each takes back what it has added. A key that counts nothing takes no memory. */
type CountsByKey = {
  of(key: string): number
  sum(): number
  adder(): {
    add(key: string): void
    /** Returns the keys that it had added to. The second time there are none. */
    takeBack(): string[]
  }
}

function countsByKey(): CountsByKey {
  const counts = new Map<string, number>()
  let sum = 0

  function change(key: string, by: number): void {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
    sum += by
  }

  function adder() {
    const added = new Map<string, number>()
    function add(key: string): void {
      added.set(key, (added.get(key) ?? 0) + 1)
      change(key, 1)
    }
    function takeBack(): string[] {
      for (const [key, count] of added) change(key, -count)
      const keys = [...added.keys()]
      added.clear()
      return keys
    }
    return { add, takeBack }
  }
  return { of: (key) => counts.get(key) ?? 0, sum: () => sum, adder }
}
