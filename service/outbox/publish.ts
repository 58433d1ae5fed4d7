// After the commit the dispatcher is told, so that it need not look. A notice that gets lost costs time, never an event:
// the marker is still there, and the dispatcher's sweeper finds it.
import type { EventNotice } from '#contract/event.ts'

export type Publish = (body: string) => Promise<void>

export type Announce = (notices: readonly EventNotice[]) => void

export const announcer =
  (publish: Publish, onLost: (error: unknown, notice: EventNotice) => void): Announce =>
  (notices) => {
    for (const notice of notices) publish(JSON.stringify(notice)).catch((error: unknown) => onLost(error, notice))
  }
