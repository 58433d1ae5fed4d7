// After the commit those who wait for events are told, and the dispatcher, so that neither need look. A notice that gets
// lost costs time, never an event: the marker is still there, and the dispatcher's sweeper finds it.
import { noticesPerMessageMax, type EventNotice } from '#contract/event.ts'

export type Publish = (body: string) => Promise<void>

export type Announce = (notices: readonly EventNotice[]) => void

/** What may wait for a broker that is away. */
export const heldMax = 10_000

/** One message at a time is under way; what comes up meanwhile goes with the next. Alone, a notice waits for nothing. */
export function announcer(
  publish: Publish,
  tell: (workspaceId: string) => void,
  onLost: (error: unknown, notices: readonly EventNotice[]) => void,
): Announce {
  const held: EventNotice[] = []
  let sending = false

  async function send(): Promise<void> {
    sending = true
    while (held.length > 0) {
      const notices = held.splice(0, noticesPerMessageMax)
      await publish(JSON.stringify(notices)).catch((error: unknown) => onLost(error, notices))
    }
    sending = false
  }

  return (notices) => {
    const room = heldMax - held.length
    held.push(...notices.slice(0, room))
    if (notices.length > room) onLost(new Error('Too many notices wait for the broker'), notices.slice(room))
    if (!sending) void send()
    for (const workspaceId of new Set(notices.map((notice) => notice.workspaceId))) tell(workspaceId)
  }
}
