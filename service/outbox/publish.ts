// Notifies those who wait for events, and the dispatcher, after the commit, so that neither has to poll. A notification
// that is lost costs time, never an event: the outbox row is still there, and the dispatcher's sweeper finds it.
import { noticesPerMessageMax, type EventNotice } from '#contract/internal/event-notice.ts'
import { batcher } from '#runtime/batcher.ts'

export type Publish = (body: string) => Promise<void>

export type Announce = (notices: readonly EventNotice[]) => void

/** How many notifications wait at most while the broker is away. */
export const heldMax = 10_000

/** A message that is not confirmed within this time no longer holds back the next one. */
const patienceMs = 100
const unconfirmedMax = 10

/** Publishes one message after the other; notifications that come up meanwhile share the next one. */
export function announcer(
  publish: Publish,
  tell: (workspaceId: string) => void,
  onLost: (error: unknown, notices: readonly EventNotice[]) => void,
): Announce {
  let unconfirmed = 0
  const messages = batcher<EventNotice>({
    flush: async (notices) => {
      const published = publishMessage(notices)
      await (unconfirmed < unconfirmedMax ? settledOrLate(published) : published)
    },
    start: 'item',
    maxItems: noticesPerMessageMax,
    maxWaiting: heldMax,
    onDropped: (notices) => onLost(new Error('Too many notices wait for the broker'), notices),
  })

  async function publishMessage(notices: readonly EventNotice[]): Promise<void> {
    unconfirmed++
    await publish(JSON.stringify(notices)).catch((error: unknown) => onLost(error, notices))
    unconfirmed--
  }

  return (notices) => {
    messages.add(...notices)
    for (const workspaceId of new Set(notices.map((notice) => notice.workspaceId))) tell(workspaceId)
  }
}

async function settledOrLate(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, patienceMs)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
