// Consumes notifications of events from the broker. A message is acked once the deliveries of its events are in the
// database; while that is away nothing is acked. A message without notifications goes to the dead-letter queue.
import { Compile } from 'typebox/compile'
import { EventNotifications, tracesInHeaders } from '#contract/internal/deliveries.ts'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import type { Log } from '#runtime/log.ts'
import { batcher } from '#runtime/batcher.ts'
import { retryWithBackoff } from '#runtime/retry.ts'
import { readTraceparent } from '#runtime/tracing/trace-context.ts'

export type NotificationConsumer = {
  onMessage(message: ReceivedMessage): void
  /** How long no message has come, in ms. */
  idleMs(): number
  close(): Promise<void>
}

/** How many messages the broker may deliver before the first of them is acked. */
export const unackedMax = 200
/** How many messages of a source without such a limit are held. More are dropped, and left to the sweeper. */
export const heldMax = 10_000
const batchMax = 50
/** How many events are fanned out in one transaction. */
const eventsMax = 50
/** How many batches are fanned out at a time: what comes meanwhile waits for the first of them, and gathers. */
const batchesMax = 2
/** How many characters of a rejected message are logged. */
const loggedMax = 200

const notifications = Compile(EventNotifications)

/** Of events, by their ids: what their messages were sent within. */
export type SentWithin = ReadonlyMap<string, string>

/** `fanOut` resolves once the deliveries of these events exist, made here or by another dispatcher. */
export function notificationConsumer(
  fanOut: (eventIds: readonly string[], sentWithin: SentWithin) => Promise<void>,
  log: Log,
): NotificationConsumer {
  const closing = new AbortController()
  let lastAt = Number.NEGATIVE_INFINITY
  const onError = (err: unknown) => log.warn({ err }, 'fan-out failed, trying again')
  async function flush(messages: readonly ReceivedMessage[]): Promise<void> {
    if (closing.signal.aborted) return
    const [valid, invalid] = validated(messages)
    for (const { message } of invalid) reject(message, log)
    const eventIds = valid.flatMap((one) => one.eventIds)
    const sentWithin = new Map(valid.flatMap(tracesOf))
    for (let at = 0; at < eventIds.length; at += eventsMax) {
      const some = eventIds.slice(at, at + eventsMax)
      if (!(await retryWithBackoff(() => fanOut(some, sentWithin), { signal: closing.signal, onError }))) return
    }
    for (const { message } of valid) message.ack()
  }
  const messages = batcher<ReceivedMessage>({
    flush,
    // Those that come together share a batch.
    start: 'microtask',
    maxItems: batchMax,
    maxFlushes: batchesMax,
    maxHeld: heldMax,
  })
  return {
    onMessage: (message) => {
      lastAt = performance.now()
      if (!closing.signal.aborted) messages.add(message)
    },
    idleMs: () => performance.now() - lastAt,
    close: () => {
      closing.abort()
      return messages.flush()
    },
  }
}

type Parsed = { readonly message: ReceivedMessage; readonly eventIds: readonly string[] }

/** Messages with notifications, and messages without. */
function validated(messages: readonly ReceivedMessage[]): [Parsed[], Parsed[]] {
  const all = messages.map((message) => ({ message, eventIds: eventIdsOf(message.body) }))
  return [all.filter(({ eventIds }) => eventIds.length > 0), all.filter(({ eventIds }) => eventIds.length === 0)]
}

const tracesOf = ({ message, eventIds }: Parsed): [string, string][] =>
  tracesInHeaders(message.headers, eventIds.length).flatMap((header, at) => {
    const traceparent = readTraceparent(header)
    return traceparent === null ? [] : [[eventIds[at] ?? '', traceparent]]
  })

function reject(message: ReceivedMessage, log: Log): void {
  log.error(
    { body: message.body.slice(0, loggedMax) },
    'a message without notifications of events, moved to the dead-letter queue',
  )
  message.reject()
}

function eventIdsOf(body: string): string[] {
  const value = jsonIn(body)
  return notifications.Check(value) ? value.map(({ eventId }) => eventId) : []
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
