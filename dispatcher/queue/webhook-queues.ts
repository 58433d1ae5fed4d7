// One bounded queue per webhook, served round robin: however many deliveries one webhook has waiting, the next one of
// another webhook waits behind at most one of them. Each webhook has a bounded number of them in flight.
// A webhook with all of its slots in use leaves the round and joins it again at the end; runtime/fair-queue.ts, which
// shares between nested holders, keeps such a holder's place.

export type QueueLimits = { readonly queued: number; readonly queuedPerWebhook: number; readonly perWebhook: number }

export type WebhookQueues<T> = {
  /** How many more deliveries may be queued, over all webhooks. */
  capacity(): number
  capacityOf(webhookId: string): number
  /** The capacity of each webhook that has deliveries waiting. */
  capacities(): Map<string, number>
  /** How many deliveries wait. */
  size(): number
  /** The caller has asked for the capacity before. */
  enqueue(webhookId: string, item: T): void
  /** Takes the next delivery, which then uses a slot of its webhook. Undefined when none may start. */
  dequeue(): T | undefined
  /** Frees a slot of this webhook. */
  release(webhookId: string): void
  /** Returns what waits. From then on there is no capacity. */
  close(): T[]
}

type Queue<T> = { readonly waiting: T[]; inFlight: number }

export function webhookQueues<T>({ queued: queuedMax, queuedPerWebhook, perWebhook }: QueueLimits): WebhookQueues<T> {
  const queues = new Map<string, Queue<T>>()
  // Webhooks that have a delivery waiting and a slot free, in the order of the round.
  const round = new Set<string>()
  let size = 0
  let closed = false

  const capacity = () => (closed ? 0 : queuedMax - size)
  const capacityOf = (webhookId: string) =>
    Math.min(capacity(), queuedPerWebhook - (queues.get(webhookId)?.waiting.length ?? 0))

  function joinRound(webhookId: string, { waiting, inFlight }: Queue<T>): void {
    if (waiting.length > 0 && inFlight < perWebhook) round.add(webhookId)
  }

  function enqueue(webhookId: string, item: T): void {
    const queue = queues.get(webhookId) ?? { waiting: [], inFlight: 0 }
    queues.set(webhookId, queue)
    queue.waiting.push(item)
    size++
    joinRound(webhookId, queue)
  }

  function dequeue(): T | undefined {
    const [webhookId = ''] = round
    const queue = queues.get(webhookId)
    if (queue === undefined) return undefined
    round.delete(webhookId)
    size--
    queue.inFlight++
    const item = queue.waiting.shift()
    joinRound(webhookId, queue)
    return item
  }

  function release(webhookId: string): void {
    const queue = queues.get(webhookId)
    if (queue === undefined) return
    queue.inFlight--
    if (queue.inFlight === 0 && queue.waiting.length === 0) queues.delete(webhookId)
    else joinRound(webhookId, queue)
  }

  function close(): T[] {
    closed = true
    round.clear()
    size = 0
    return [...queues.values()].flatMap(({ waiting }) => waiting.splice(0))
  }

  function capacities(): Map<string, number> {
    const waiting = [...queues].filter(([, queue]) => queue.waiting.length > 0)
    return new Map(waiting.map(([webhookId]) => [webhookId, capacityOf(webhookId)]))
  }

  return { size: () => size, capacity, capacityOf, capacities, enqueue, dequeue, release, close }
}
