// How many more deliveries the scheduler may take, what fan-outs that are under way may count on, and which webhooks had
// to leave some in the database.
import { countsByKey } from './counts-by-key.ts'
import type { Queued, WebhookQueues } from './webhook-queues.ts'

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

export type Capacities = {
  /** The capacity of these webhooks, and of one that is not known. */
  read(webhookIds: readonly string[], perWebhook: number): Capacity
  reserve(): Reservation
  /** These webhooks had to leave some in the database. */
  noteRefused(...webhookIds: readonly string[]): void
  /** A delivery of this webhook has left the queue. */
  noteFreed(webhookId: string): void
}

type Queues = Pick<WebhookQueues<never>, 'capacity' | 'capacityOf' | 'freeSlots' | 'waitingMax' | 'has'>
type On = {
  /** Whether anything may start. */
  readonly mayStart: () => boolean
  /** Half of the queue of this webhook, which had to leave some in the database, is free again. */
  readonly onCapacity: (webhookId: string) => void
}

export function openCapacities(queues: Queues, { mayStart, onCapacity }: On): Capacities {
  const [places, slots] = [countsByKey(), countsByKey()]
  const refused = new Set<string>()

  // One with nothing here would never be told of; the claimer comes round to it by itself.
  const comesHere = (webhookId: string): boolean => queues.has(webhookId) || places.of(webhookId) > 0
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
    const [ownPlaces, ownSlots] = [places.adder(), slots.adder()]
    const hasPlace = (webhookId: string): boolean =>
      queues.capacityOf(webhookId) > places.of(webhookId) && queues.capacity() > places.sum()
    return {
      hasCapacity(webhookId) {
        const free = hasPlace(webhookId)
        if (free) ownPlaces.add(webhookId)
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
        ownPlaces.takeBack().forEach(noteFreed)
      },
    }
  }
  return { read, reserve, noteRefused, noteFreed }
}
