// After the commit those who wait for events are told, and the dispatcher, so that neither need look. A notice that gets
// lost costs time, never an event: the marker is still there, and the dispatcher's sweeper finds it.
import type { EventNotice } from '#contract/event.ts'

export type Publish = (body: string) => Promise<void>

export type Announce = (notices: readonly EventNotice[]) => void

export const announcer =
  (publish: Publish, tell: (workspaceId: string) => void, onLost: (error: unknown, notice: EventNotice) => void) =>
  (notices: readonly EventNotice[]): void => {
    for (const notice of notices) publish(JSON.stringify(notice)).catch((error: unknown) => onLost(error, notice))
    for (const workspaceId of new Set(notices.map((notice) => notice.workspaceId))) tell(workspaceId)
  }
