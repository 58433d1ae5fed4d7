// After a commit that has recorded events: wakes the callers who wait for them, and publishes them to the dispatcher.
import type { FastifyBaseLogger } from 'fastify'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'
import { eventPublisher, type Publish } from '../outbox/publish.ts'
import { openLongPoll, type LongPoll } from './long-poll.ts'
import { throttledLog } from '#runtime/log.ts'

// While the broker is away every change fails to be published.
const logEveryMs = 10_000

/** Closed before the server, so that no caller still waits for events. */
export type EventNotifier = Part &
  Pick<LongPoll, 'waitForEvents'> & {
    readonly notifyEvents: (notifications: readonly EventNotification[]) => void
    /** Notifications that wait for the broker, and how many were not published since the start. */
    readonly unpublished: () => { readonly waiting: number; readonly lost: number }
    /** Aborted by `close`. */
    readonly closing: AbortSignal
  }

export function openEventNotifier(db: Database, publish: Publish, log: FastifyBaseLogger): EventNotifier {
  const { waitForEvents, notify, close } = openLongPoll(db, (err) =>
    log.warn({ err }, 'looking for events failed, trying again'),
  )
  const logRarely = throttledLog(logEveryMs)
  let lost = 0
  const publisher = eventPublisher(publish, (err, notifications) => {
    lost += notifications.length
    logRarely('lost', notifications.length, (events) =>
      log.warn({ err, events }, 'events not published, the sweeper will find them'),
    )
  })
  const notifyEvents = (notifications: readonly EventNotification[]): void => {
    publisher.publish(notifications)
    for (const workspaceId of new Set(notifications.map((notification) => notification.workspaceId)))
      notify(workspaceId)
  }
  const closing = new AbortController()
  return {
    waitForEvents,
    notifyEvents,
    unpublished: () => ({ waiting: publisher.waiting(), lost }),
    closing: closing.signal,
    close: () => {
      closing.abort()
      return close()
    },
  }
}
