// One bounded queue per webhook, served round robin over workspaces and their webhooks. Each webhook has a bounded number
// of deliveries in flight, and waiting ones in proportion to it.
// So that those that hang do not hold it all, however well they were before: the fewer slots are free, the fewer any one
// webhook may have, and where places run out the longest queues give up theirs.
// A webhook with all of its slots in use leaves the round and joins it again at the end; runtime/fair-queue.ts, which
// shares between nested holders, keeps such a holder's place.
import { workspaceRound } from './workspace-round.ts'

export type QueueLimits = {
  readonly inFlight: number
  readonly queued: number
  /** How many may wait for each slot of a webhook. */
  readonly waitingPerSlot: number
  /** How many places are kept free, at the cost of the longest queues. */
  readonly roomKept: number
  /** The part of the free slots up to which one webhook may have more than one. */
  readonly slotShare: number
}
export type Queued = { readonly workspaceId: string; readonly webhookId: string }

export type WebhookQueues<T> = {
  /** How many more deliveries may be queued, over all webhooks. */
  capacity(): number
  capacityOf(webhookId: string): number
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
  /** Takes the next delivery, which then uses a slot of its webhook. Undefined when none may start. */
  dequeue(): T | undefined
  /** Frees a slot of this webhook. */
  release(webhookId: string): void
  /** Returns what has to go so that there is room for others: of the longest queues, what came last. */
  makeRoom(): T[]
  /** Returns what waits. From then on there is no capacity. */
  close(): T[]
}

type Queue<T> = { readonly waiting: T[]; inFlight: number }

export function webhookQueues<T extends Queued>(
  limits: QueueLimits,
  slotsOf: (webhookId: string) => number,
): WebhookQueues<T> {
  const queues = new Map<string, Queue<T>>()
  // Webhooks that had a delivery waiting and a slot free when they joined.
  const round = workspaceRound()
  let [size, running, closed] = [0, 0, false]

  const capacity = () => (closed ? 0 : limits.queued - size)
  const waitingMax = (webhookId: string) => slotsOf(webhookId) * limits.waitingPerSlot
  const capacityOf = (webhookId: string) =>
    Math.min(capacity(), waitingMax(webhookId) - (queues.get(webhookId)?.waiting.length ?? 0))
  // At least one: a webhook that may start no more has one in flight, and joins the round again when that has ended.
  const hasSlot = (webhookId: string, { inFlight }: Queue<T>) =>
    inFlight < Math.min(slotsOf(webhookId), Math.max(1, (limits.inFlight - running) * limits.slotShare))

  function joinRound(webhookId: string, queue: Queue<T>): void {
    const [first] = queue.waiting
    if (first !== undefined && hasSlot(webhookId, queue)) round.join(first.workspaceId, webhookId)
  }

  function enqueue(item: T): void {
    const queue = queues.get(item.webhookId) ?? { waiting: [], inFlight: 0 }
    queues.set(item.webhookId, queue)
    queue.waiting.push(item)
    size++
    joinRound(item.webhookId, queue)
  }

  function dequeue(): T | undefined {
    while (running < limits.inFlight) {
      const webhookId = round.next()
      if (webhookId === undefined) return undefined
      const queue = queues.get(webhookId)
      if (queue !== undefined && queue.waiting.length > 0 && hasSlot(webhookId, queue)) return take(webhookId, queue)
    }
    return undefined
  }

  function take(webhookId: string, queue: Queue<T>): T | undefined {
    const item = queue.waiting.shift()
    size--
    running++
    queue.inFlight++
    joinRound(webhookId, queue)
    return item
  }

  function release(webhookId: string): void {
    const queue = queues.get(webhookId)
    if (queue === undefined) return
    running--
    queue.inFlight--
    joinRound(webhookId, queue)
    forgetIdle(webhookId, queue)
  }

  function forgetIdle(webhookId: string, { inFlight, waiting }: Queue<T>): void {
    if (inFlight === 0 && waiting.length === 0) queues.delete(webhookId)
  }

  function makeRoom(): T[] {
    const displaced: T[] = []
    while (!closed && capacity() < limits.roomKept && size > 0) displaced.push(...halveLongest())
    return displaced
  }

  function halveLongest(): T[] {
    const [webhookId, queue] = [...queues].reduce((one, other) =>
      other[1].waiting.length > one[1].waiting.length ? other : one,
    )
    const displaced = queue.waiting.splice(queue.waiting.length / 2)
    size -= displaced.length
    forgetIdle(webhookId, queue)
    return displaced
  }

  function close(): T[] {
    closed = true
    round.clear()
    size = 0
    return [...queues.values()].flatMap(({ waiting }) => waiting.splice(0))
  }

  return {
    ...{ capacity, capacityOf, waitingMax, enqueue, dequeue, release, makeRoom, close },
    has: (webhookId) => queues.has(webhookId),
    webhookIds: () => queues.keys(),
    size: () => size,
    inFlight: () => running,
  }
}
