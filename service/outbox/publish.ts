// After the commit those who wait for events are told, and the dispatcher, so that neither need look. A notice that gets
// lost costs time, never an event: the marker is still there, and the dispatcher's sweeper finds it.
import { noticesPerMessageMax, type EventNotice } from '#contract/event-envelope.ts'

export type Publish = (body: string) => Promise<void>

export type Announce = (notices: readonly EventNotice[]) => void

/** What may wait for a broker that is away. */
export const heldMax = 10_000

/** A message that is not confirmed by then holds back no other. */
const patienceMs = 100
const underWayMax = 10

/** One message goes after the other; what comes up meanwhile goes with the next. Alone, a notice waits for nothing. */
export function announcer(
  publish: Publish,
  tell: (workspaceId: string) => void,
  onLost: (error: unknown, notices: readonly EventNotice[]) => void,
): Announce {
  const held: EventNotice[] = []
  let sending = false
  let underWay = 0

  async function send(): Promise<void> {
    sending = true
    while (held.length > 0) {
      const notices = held.splice(0, noticesPerMessageMax)
      const published = publishOne(notices)
      await (underWay < underWayMax ? settledOrLate(published) : published)
    }
    sending = false
  }

  async function publishOne(notices: readonly EventNotice[]): Promise<void> {
    underWay++
    await publish(JSON.stringify(notices)).catch((error: unknown) => onLost(error, notices))
    underWay--
  }

  return (notices) => {
    const room = heldMax - held.length
    held.push(...notices.slice(0, room))
    if (notices.length > room) onLost(new Error('Too many notices wait for the broker'), notices.slice(room))
    if (!sending) void send()
    for (const workspaceId of new Set(notices.map((notice) => notice.workspaceId))) tell(workspaceId)
  }
}

async function settledOrLate(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, patienceMs)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
