// The only file that answers the broker. A message is acked once the deliveries of its events are in the database; while
// that is away nothing is acked. One that holds no notices goes to the dead queue: whose it is, somebody must find out.
import { Compile } from 'typebox/compile'
import { EventNotices } from '#contract/event-envelope.ts'
import type { Received } from '#runtime/broker.ts'
import type { Log } from '#runtime/log.ts'
import { batcher } from '#runtime/batcher.ts'
import { retryWithBackoff } from '#runtime/retry.ts'

export type Consuming = {
  take(message: Received): void
  /** How long no message has come. */
  quietMs(): number
  close(): Promise<void>
}

/** How many messages the broker may hand over before the first of them is acked. */
export const unackedMax = 200
/** What a source without such a limit may leave here. More is dropped, and found by the sweeper. */
export const heldMax = 10_000
const batchMax = 50
/** Events whose deliveries are made in one transaction. */
const eventsMax = 50
const batchWaitMs = 5
/** Of a message that is refused, in the log. */
const shownMax = 200

const notices = Compile(EventNotices)

/** `fanOut` resolves once the deliveries of these events exist, made by us or by somebody else. */
export function consuming(fanOut: (eventIds: readonly string[]) => Promise<void>, log: Log): Consuming {
  const closing = new AbortController()
  let lastAt = Number.NEGATIVE_INFINITY
  const onError = (err: unknown) => log.warn({ err }, 'fan-out failed, trying again')
  async function flush(messages: readonly Received[]): Promise<void> {
    if (closing.signal.aborted) return
    const [good, junk] = sorted(messages)
    for (const { message } of junk) refuse(message, log)
    const eventIds = good.flatMap((one) => one.eventIds)
    for (let at = 0; at < eventIds.length; at += eventsMax) {
      const some = eventIds.slice(at, at + eventsMax)
      if (!(await retryWithBackoff(() => fanOut(some), { signal: closing.signal, onError }))) return
    }
    for (const { message } of good) message.ack()
  }
  const messages = batcher<Received>({ flush, start: { waitMs: batchWaitMs }, maxItems: batchMax, maxHeld: heldMax })
  return {
    take: (message) => {
      lastAt = performance.now()
      if (!closing.signal.aborted) messages.add(message)
    },
    quietMs: () => performance.now() - lastAt,
    close: () => {
      closing.abort()
      return messages.flush()
    },
  }
}

type Read = { readonly message: Received; readonly eventIds: readonly string[] }

/** Those that hold notices, and those that do not. */
function sorted(messages: readonly Received[]): [Read[], Read[]] {
  const read = messages.map((message) => ({ message, eventIds: eventIdsOf(message.body) }))
  return [read.filter(({ eventIds }) => eventIds.length > 0), read.filter(({ eventIds }) => eventIds.length === 0)]
}

function refuse(message: Received, log: Log): void {
  log.error({ body: message.body.slice(0, shownMax) }, 'a message without notices of events, moved to the dead queue')
  message.reject()
}

function eventIdsOf(body: string): string[] {
  const value = parsed(body)
  return notices.Check(value) ? value.map(({ eventId }) => eventId) : []
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
