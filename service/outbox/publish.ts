// Publishes notifications of recorded events to the dispatcher, over the broker, after the commit. One that is lost costs
// time, never an event: its outbox row is still there, and the dispatcher's sweeper finds it.
import { notificationsPerMessageMax, type EventNotification } from '#contract/internal/deliveries.ts'
import { batcher } from '#runtime/batcher.ts'
import { waitAtMost } from '#runtime/timeouts.ts'

export type Publish = (body: string) => Promise<void>

/** How many notifications wait at most while the broker is away. */
export const waitingMax = 10_000

/** A message that is not confirmed within this time no longer holds back the next one. */
const confirmTimeoutMs = 100
const unconfirmedMax = 10
/** A quorum queue confirms, and delivers, when the message is on its disk: what comes meanwhile need not wait for that. */
const messagesAtOnce = 4

export type EventPublisher = {
  publish(notifications: readonly EventNotification[]): void
  /** How many notifications wait for the broker. */
  waiting(): number
}

/** While a few messages wait for their confirmation, notifications that come up share the next one. */
export function eventPublisher(
  publish: Publish,
  onLost: (error: unknown, notifications: readonly EventNotification[]) => void,
): EventPublisher {
  let unconfirmed = 0
  const messages = batcher<EventNotification>({
    flush: async (notifications) => {
      const published = publishMessage(notifications)
      await (unconfirmed < unconfirmedMax ? waitAtMost(confirmTimeoutMs, published) : published)
    },
    start: 'item',
    maxItems: notificationsPerMessageMax,
    maxFlushes: messagesAtOnce,
    maxWaiting: waitingMax,
    onDropped: (notifications) => onLost(new Error('Too many notifications wait for the broker'), notifications),
  })

  async function publishMessage(notifications: readonly EventNotification[]): Promise<void> {
    unconfirmed++
    await publish(JSON.stringify(notifications)).catch((error: unknown) => onLost(error, notifications))
    unconfirmed--
  }

  return { publish: (notifications) => void messages.add(...notifications), waiting: messages.size }
}
