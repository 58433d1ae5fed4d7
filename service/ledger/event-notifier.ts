// After a commit that has recorded events: wakes the callers who wait for them, and publishes notifications of them to
// the dispatcher, over the broker. One that is lost costs time, never an event: its outbox row is still there, and the
// dispatcher's sweeper finds it.
import type { FastifyBaseLogger } from 'fastify'
import {
  headersOfTraces,
  notificationsDestination,
  notificationsPerMessageMax,
  type EventNotification,
  type MessageHeaders,
} from '#contract/internal/deliveries.ts'
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import type { Part } from '#runtime/process.ts'
import { throttledLog } from '#runtime/log.ts'
import type { Span } from '#runtime/tracing/span.ts'
import { waitAtMost } from '#runtime/timeouts.ts'
import type { RecordedEvent } from '../execution/change.ts'
import { openLongPoll, type LongPoll } from './long-poll.ts'

// While the broker is away every change fails to be published.
const logEveryMs = 10_000

/** Closed before the server, so that no caller still waits for events. */
export type EventNotifier = Part &
  Pick<LongPoll, 'waitForEvents'> & {
    readonly notifyEvents: (notifications: readonly RecordedEvent[]) => void
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
  const notifyEvents = (notifications: readonly RecordedEvent[]): void => {
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

export type Publish = (body: string, headers: MessageHeaders) => Promise<void>

/** The notifications that wait at most while the broker is away. */
export const waitingMax = 10_000

/** A message that is not confirmed within this time no longer holds back the next one. */
const confirmTimeoutMs = 100
const unconfirmedMax = 10
/**
 * A quorum queue confirms, and delivers, when the message is on its disk: what comes meanwhile need not wait for that.
 */
const messagesAtOnce = 4

export type EventPublisher = {
  publish(notifications: readonly RecordedEvent[]): void
  /** The number of notifications that wait for the broker. */
  waiting(): number
}

/** While a few messages wait for their confirmation, notifications that come up share the next one. */
export function eventPublisher(
  publish: Publish,
  onLost: (error: unknown, notifications: readonly EventNotification[]) => void,
): EventPublisher {
  let unconfirmed = 0
  const messages = batcher<RecordedEvent>({
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

  async function publishMessage(notifications: readonly RecordedEvent[]): Promise<void> {
    unconfirmed++
    const spans = sendSpans(notifications)
    const headers = headersOfTraces(notifications.map((each) => handedOn(each, spans)))
    const failure = await publish(JSON.stringify(notifications.map(bodyOf)), headers).then(
      () => null,
      (error: unknown) => {
        onLost(error, notifications)
        return 'unpublished'
      },
    )
    for (const span of spans.values()) endSpan(span, notifications.length, failure)
    unconfirmed--
  }

  return {
    publish: (notifications) => {
      messages.add(...notifications)
    },
    waiting: messages.size,
  }
}

const bodyOf = ({ eventId, workspaceId }: RecordedEvent): EventNotification => ({ eventId, workspaceId })

type SendSpans = ReadonlyMap<Span, Span>

/** Of the message, by the span of each call that has events in it. */
const sendSpans = (notifications: readonly RecordedEvent[]): SendSpans =>
  new Map(
    [...new Set(notifications.map(({ span }) => span))].flatMap((span) =>
      span === null ? [] : [[span, span.child()]],
    ),
  )

const handedOn = ({ span, traceparent }: RecordedEvent, spans: SendSpans): string =>
  (span === null ? undefined : spans.get(span)?.traceparent) ?? traceparent

const endSpan = (span: Span, count: number, error: string | null): void =>
  span.end({
    name: `send ${notificationsDestination}`,
    kind: 'producer',
    attributes: {
      'messaging.system': 'rabbitmq',
      'messaging.destination.name': notificationsDestination,
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.batch.message_count': count,
    },
    error,
  })
