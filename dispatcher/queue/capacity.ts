// How many more deliveries the scheduler may take, and which webhooks had to leave some in the database.
import type { Queued, WebhookQueues } from './webhook-queues.ts'

/** How many deliveries may be queued. */
export type Capacity = {
  readonly free: number
  /** Of a webhook that is not in `known`. */
  readonly perWebhook: number
  readonly known: ReadonlyMap<string, number>
}

type Capacities = Pick<WebhookQueues<never>, 'capacity' | 'capacityOf' | 'waitingMax' | 'has'>

export function readCapacity(
  queues: Capacities,
  perWebhook: number,
  webhookIds: readonly string[],
  onRefused: (webhookId: string) => void,
): Capacity {
  const known = new Map(webhookIds.map((webhookId) => [webhookId, queues.capacityOf(webhookId)]))
  for (const [webhookId, free] of known) if (free <= 0) onRefused(webhookId)
  return { free: queues.capacity(), perWebhook, known }
}

/** Returns a question: may one more delivery of this webhook be queued, beside those that it was answered yes for? */
export function checkCapacity(queues: Capacities, onRefused: (webhookId: string) => void) {
  const planned = new Map<string, number>()
  let plannedOfAll = 0
  return (webhookId: string): boolean => {
    const own = planned.get(webhookId) ?? 0
    if (queues.capacityOf(webhookId) <= own || queues.capacity() <= plannedOfAll) {
      onRefused(webhookId)
      return false
    }
    planned.set(webhookId, own + 1)
    plannedOfAll++
    return true
  }
}

/** Returns a question: would one more delivery of this webhook start at once, beside those that it was answered yes for? */
export function checkSlots(queues: Pick<WebhookQueues<never>, 'freeSlots'>) {
  const planned = new Map<string, number>()
  return (queued: Queued): boolean => {
    const own = planned.get(queued.webhookId) ?? 0
    planned.set(queued.webhookId, own + 1)
    return own < queues.freeSlots(queued)
  }
}

/** Webhooks that had to leave deliveries in the database. `onCapacity` is told when half of their queue is free. */
export function refusedWebhooks(queues: Capacities, onCapacity: (webhookId: string) => void) {
  const webhookIds = new Set<string>()
  return {
    // One with nothing here would never be told of; the claimer comes round to it by itself.
    add: (...ids: readonly string[]): void => ids.filter(queues.has).forEach((id) => webhookIds.add(id)),
    tellCapacity(webhookId: string): void {
      const isHalfFree = queues.capacityOf(webhookId) >= queues.waitingMax(webhookId) / 2
      if (isHalfFree && webhookIds.delete(webhookId)) onCapacity(webhookId)
    },
  }
}
