// Which delivery starts next. Deliveries are queued by webhook, started round robin, and known by id until their result is
// written. Nothing here is durable: what finds no capacity is refused, and stays in the database for later.
import { checkCapacity, refusedWebhooks, type Capacity } from './capacity.ts'
import type { LeasedDelivery } from './leases.ts'
import { webhookQueues, type QueueLimits } from './webhook-queues.ts'

export type Scheduler = {
  /**
   * Returns the deliveries that there is no capacity for. One that is known already is neither queued again nor
   * returned. `cutOff` names webhooks that have more in the database than was claimed of them.
   */
  enqueue(deliveries: readonly LeasedDelivery[], cutOff?: readonly string[]): LeasedDelivery[]
  /** Returns a question: may one more delivery of this webhook be queued, beside those that it was answered yes for? */
  capacityCheck(): (webhookId: string) => boolean
  capacity(): Capacity
  usage(): { readonly queued: number; readonly inFlight: number }
  /** Starts what may start. */
  dispatch(): void
  /** Starts nothing more. Returns the deliveries that have not started. */
  stop(): LeasedDelivery[]
  /** Resolves when nothing is running. */
  idle(): Promise<void>
}

export type Limits = QueueLimits & { readonly inFlight: number }
const standardLimits: Limits = { inFlight: 1_000, perWebhook: 10, queued: 1_000, queuedPerWebhook: 100 }

export type Work = {
  /** Delivers and writes the result; never rejects. May call `releaseSlot` before, when the receiver has answered. */
  readonly run: (delivery: LeasedDelivery, releaseSlot: () => void) => Promise<void>
  readonly mayStart: () => boolean
  /** Half of this webhook's queue is free again, after some of its deliveries were refused. */
  readonly onCapacity: (webhookId: string) => void
}

export function openScheduler({ run, mayStart, onCapacity }: Work, limits: Limits = standardLimits): Scheduler {
  const queues = webhookQueues<LeasedDelivery>(limits)
  const refused = refusedWebhooks(queues, limits.queuedPerWebhook / 2, onCapacity)
  const inHand = deliveriesInHand()
  let inFlight = 0

  function enqueue(deliveries: readonly LeasedDelivery[], cutOff: readonly string[] = []): LeasedDelivery[] {
    const left = deliveries.filter((delivery) => !accepts(delivery))
    refused.add(...cutOff, ...left.map(({ webhookId }) => webhookId))
    dispatch()
    return left
  }

  function accepts(delivery: LeasedDelivery): boolean {
    if (inHand.has(delivery.id)) return true
    if (queues.capacityOf(delivery.webhookId) <= 0) return false
    inHand.add(delivery.id)
    queues.enqueue(delivery.webhookId, delivery)
    return true
  }

  function dispatch(): void {
    while (inFlight < limits.inFlight && mayStart()) {
      const delivery = queues.dequeue()
      if (delivery === undefined) return
      start(delivery)
    }
  }

  function start(delivery: LeasedDelivery): void {
    inFlight++
    const releaseSlot = once(() => {
      inFlight--
      queues.release(delivery.webhookId)
      dispatch()
    })
    inHand.track(delivery.id, run(delivery, releaseSlot), releaseSlot)
    refused.tellCapacity(delivery.webhookId)
  }

  function capacity(): Capacity {
    const fewer = queues.capacities()
    for (const [webhookId, free] of fewer) if (free <= 0) refused.add(webhookId)
    return { free: queues.capacity(), perWebhook: limits.queuedPerWebhook, fewer }
  }

  const capacityCheck = () => checkCapacity(queues, refused.add)
  const usage = () => ({ queued: queues.size(), inFlight })
  return { enqueue, capacityCheck, capacity, usage, dispatch, stop: queues.close, idle: inHand.idle }
}

/** Deliveries from the moment that they are queued until their result is written. */
function deliveriesInHand() {
  const ids = new Set<string>()
  const running = new Set<Promise<void>>()
  return {
    has: (id: string): boolean => ids.has(id),
    add: (id: string): void => void ids.add(id),
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

function once(act: () => void): () => void {
  let acted = false
  return () => {
    if (acted) return
    acted = true
    act()
  }
}
