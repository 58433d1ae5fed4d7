// One bounded queue per webhook, served round robin over workspaces and their webhooks. Each webhook has a bounded
// number of deliveries in flight, and waiting ones in proportion to it. So that those that hang do not hold it all,
// however healthy they were before: the fewer slots are free, the fewer any one webhook may have (and any workspace:
// slots.ts), and where room runs out the longest queues give up theirs. A webhook with all of its slots in use leaves
// the round and joins it again at the end; runtime/concurrency-limit.ts, which shares between nested tenants, keeps
// such a tenant's position.
import { slotPools, type SlotLimits, type SlotPool, type WebhookSlots } from './slots.ts'

export type QueueLimits = SlotLimits & {
  readonly queued: number
  /** How many may wait for each slot of a webhook. */
  readonly waitingPerSlot: number
  /** How much room is kept free, at the cost of the longest queues. */
  readonly roomKept: number
  /** The part of the free slots up to which one webhook may have more than one. */
  readonly slotShare: number
}
export type Queued = { readonly workspaceId: string; readonly webhookId: string }

export type Dequeued<T> = { readonly item: T; readonly release: () => void }

export type WebhookQueues<T> = {
  /** How many more deliveries may be queued, over all webhooks. */
  capacity(): number
  capacityOf(webhookId: string): number
  /** How many deliveries of this webhook would start at once. */
  freeSlots(queued: Queued): number
  /** How many deliveries of this webhook may wait. */
  waitingMax(webhookId: string): number
  /** Whether any of this webhook wait or are in flight. */
  has(webhookId: string): boolean
  webhookIds(): Iterable<string>
  /** How many deliveries wait. */
  size(): number
  inFlight(): number
  /** The caller has asked for the capacity before. */
  enqueue(item: T): void
  /** Takes the next delivery, which then uses a slot until it is released. Undefined when none may start. */
  dequeue(): Dequeued<T> | undefined
  /** Returns what has to go so that there is room for others: of the longest queues, what came last. */
  makeRoom(): T[]
  /** Returns what waits of this webhook. */
  withdraw(webhookId: string): T[]
  /** Returns what waits. From then on there is no capacity. */
  close(): T[]
}

export function webhookQueues<T extends Queued>(
  limits: QueueLimits,
  slots: Pick<WebhookSlots, 'of' | 'isEstablished'>,
): WebhookQueues<T> {
  const queues = queueOfEach<T>()
  const starts = startsOf(queues, limits, slots)
  let closed = false

  const capacity = () => (closed ? 0 : limits.queued - queues.size())
  const waitingMax = (webhookId: string) => slots.of(webhookId) * limits.waitingPerSlot
  function enqueue(item: T): void {
    queues.add(item)
    starts.join(item.webhookId)
  }
  function close(): T[] {
    closed = true
    return queues.empty()
  }

  return {
    capacity,
    capacityOf: (webhookId) =>
      Math.min(capacity(), waitingMax(webhookId) - (queues.get(webhookId)?.waiting.length ?? 0)),
    freeSlots: starts.freeSlots,
    waitingMax,
    has: (webhookId) => queues.get(webhookId) !== undefined,
    webhookIds: queues.webhookIds,
    size: queues.size,
    inFlight: queues.inFlight,
    enqueue,
    dequeue: starts.next,
    makeRoom: () => (closed ? [] : queues.shrinkTo(limits.queued - limits.roomKept)),
    withdraw: (webhookId) => queues.cut(webhookId, 0),
    close,
  }
}

/**
 * Chooses what starts next. In the round of its pool is a webhook that had a delivery waiting and a slot free when it
 * joined.
 */
function startsOf<T extends Queued>(
  queues: ReturnType<typeof queueOfEach<T>>,
  limits: QueueLimits,
  slots: Pick<WebhookSlots, 'of' | 'isEstablished'>,
) {
  const pools = slotPools(limits)
  const poolOf = (webhookId: string) => (slots.isEstablished(webhookId) ? pools.established : pools.slowStart)
  // At least one: a webhook that may start no more has one in flight, and joins the round again when that has ended.
  const slotsLeftTo = (webhookId: string) =>
    Math.min(slots.of(webhookId), Math.max(1, poolOf(webhookId).free() * limits.slotShare))

  const freeSlots = ({ workspaceId, webhookId }: Queued) =>
    Math.min(slotsLeftTo(webhookId) - queues.sizeOf(webhookId), poolOf(webhookId).freeTo(workspaceId))

  function firstToStart(webhookId: string): T | undefined {
    const queue = queues.get(webhookId)
    return queue !== undefined && queue.inFlight < slotsLeftTo(webhookId) ? queue.waiting[0] : undefined
  }

  function join(webhookId: string): void {
    const first = firstToStart(webhookId)
    if (first !== undefined) poolOf(webhookId).join(first.workspaceId, webhookId)
  }

  function next(): Dequeued<T> | undefined {
    for (let turn = pools.next(); turn !== undefined; turn = pools.next()) {
      const { webhookId, pool } = turn
      const item = poolOf(webhookId) === pool ? firstToStart(webhookId) : undefined
      if (item !== undefined) return started(item, pool)
      // It may have come into the other pool while it waited in this one.
      join(webhookId)
    }
    return undefined
  }

  function started(item: T, pool: SlotPool): Dequeued<T> {
    const { workspaceId, webhookId } = item
    queues.start(webhookId)
    pool.take(workspaceId)
    join(webhookId)
    function release(): void {
      queues.end(webhookId)
      pool.release(workspaceId)
      join(webhookId)
    }
    return { item, release }
  }
  return { freeSlots, join, next }
}

type Queue<T> = { readonly waiting: T[]; inFlight: number }

/** A webhook with nothing here takes no memory. */
function queueOfEach<T extends Queued>() {
  const queues = new Map<string, Queue<T>>()
  let [size, inFlight] = [0, 0]

  function change(webhookId: string, waits: number, runs: number): void {
    const queue = queues.get(webhookId)
    if (queue === undefined) return
    size += waits
    inFlight += runs
    queue.inFlight += runs
    if (queue.inFlight === 0 && queue.waiting.length === 0) queues.delete(webhookId)
  }

  function add(item: T): void {
    const queue = queues.get(item.webhookId) ?? { waiting: [], inFlight: 0 }
    queues.set(item.webhookId, queue)
    queue.waiting.push(item)
    change(item.webhookId, 1, 0)
  }

  function start(webhookId: string): void {
    queues.get(webhookId)?.waiting.shift()
    change(webhookId, -1, 1)
  }

  function cut(webhookId: string, from: number): T[] {
    const taken = queues.get(webhookId)?.waiting.splice(from) ?? []
    change(webhookId, -taken.length, 0)
    return taken
  }

  function halveLongest(): T[] {
    const [webhookId, { waiting }] = [...queues].reduce((one, other) =>
      other[1].waiting.length > one[1].waiting.length ? other : one,
    )
    return cut(webhookId, waiting.length / 2)
  }

  function shrinkTo(max: number): T[] {
    const displaced: T[] = []
    while (size > Math.max(0, max)) displaced.push(...halveLongest())
    return displaced
  }

  return {
    add,
    start,
    cut,
    shrinkTo,
    end: (webhookId: string) => change(webhookId, 0, -1),
    empty: () => [...queues.keys()].flatMap((webhookId) => cut(webhookId, 0)),
    get: (webhookId: string) => queues.get(webhookId),
    sizeOf: (webhookId: string) =>
      (queues.get(webhookId)?.waiting.length ?? 0) + (queues.get(webhookId)?.inFlight ?? 0),
    webhookIds: () => queues.keys(),
    size: () => size,
    inFlight: () => inFlight,
  }
}
