// How many more deliveries the scheduler may take, and which webhooks had to leave some in the database.
import type { WebhookQueues } from './webhook-queues.ts'

/** How many deliveries may be queued. */
export type Capacity = {
  readonly free: number
  readonly perWebhook: number
  /** The webhooks that may have fewer than `perWebhook`, and how many. */
  readonly fewer: ReadonlyMap<string, number>
}

type Capacities = Pick<WebhookQueues<unknown>, 'capacity' | 'capacityOf'>

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

/** Webhooks that had to leave deliveries in the database. */
export function refusedWebhooks(queues: Capacities, enough: number, onCapacity: (webhookId: string) => void) {
  const webhookIds = new Set<string>()
  return {
    add: (...ids: readonly string[]): void => ids.forEach((id) => webhookIds.add(id)),
    tellCapacity(webhookId: string): void {
      if (queues.capacityOf(webhookId) >= enough && webhookIds.delete(webhookId)) onCapacity(webhookId)
    },
  }
}
