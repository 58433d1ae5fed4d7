// Publishes recorded events to the dispatcher, over the broker, after the commit. A notice that is lost costs time, never
// an event: its outbox row is still there, and the dispatcher's sweeper finds it.
import { noticesPerMessageMax, type EventNotice } from '#contract/internal/event-notice.ts'
import { batcher } from '#runtime/batcher.ts'

export type Publish = (body: string) => Promise<void>

/** How many notices wait at most while the broker is away. */
export const waitingMax = 10_000

/** A message that is not confirmed within this time no longer holds back the next one. */
const confirmTimeoutMs = 100
const unconfirmedMax = 10

/** Publishes one message after the other; notices that come up meanwhile share the next one. */
export function eventPublisher(
  publish: Publish,
  onLost: (error: unknown, notices: readonly EventNotice[]) => void,
): (notices: readonly EventNotice[]) => void {
  let unconfirmed = 0
  const messages = batcher<EventNotice>({
    flush: async (notices) => {
      const published = publishMessage(notices)
      await (unconfirmed < unconfirmedMax ? confirmedOrTimeout(published) : published)
    },
    start: 'item',
    maxItems: noticesPerMessageMax,
    maxWaiting: waitingMax,
    onDropped: (notices) => onLost(new Error('Too many notices wait for the broker'), notices),
  })

  async function publishMessage(notices: readonly EventNotice[]): Promise<void> {
    unconfirmed++
    await publish(JSON.stringify(notices)).catch((error: unknown) => onLost(error, notices))
    unconfirmed--
  }

  return (notices) => void messages.add(...notices)
}

async function confirmedOrTimeout(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, confirmTimeoutMs)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
