// The only file that acks. A message is acked once the deliveries of its events are in the database, or where it holds no
// notices at all: nothing is lost by that, the markers stand for the events. While the database is away nothing is acked.
import { Compile } from 'typebox/compile'
import { EventNotices } from '#contract/event.ts'
import type { Received } from '#runtime/broker.ts'
import type { Log } from '#runtime/log.ts'
import { inBatches } from './batches.ts'
import { insist } from './insist.ts'

export type Consuming = { take(message: Received): void; close(): Promise<void> }

/** How many messages the broker may hand over before the first of them is acked. */
export const unackedMax = 200
/** What a source without such a limit may leave here. More is dropped, and found by the sweeper. */
export const heldMax = 10_000
const batchMax = 50
/** Events whose deliveries are made in one transaction. */
const eventsMax = 50
const batchWaitMs = 5

const notices = Compile(EventNotices)

/** `fanOut` resolves once the deliveries of these events exist, made by us or by somebody else. */
export function consuming(fanOut: (eventIds: readonly string[]) => Promise<void>, log: Log): Consuming {
  const closing = new AbortController()
  const onError = (err: unknown) => log.warn({ err }, 'fan-out failed, trying again')
  const batches = inBatches<Received>(batchMax, batchWaitMs, async (messages) => {
    if (closing.signal.aborted) return
    const eventIds = messages.flatMap(({ body }) => eventIdsOf(body, log))
    for (let at = 0; at < eventIds.length; at += eventsMax) {
      const some = eventIds.slice(at, at + eventsMax)
      if (!(await insist(() => fanOut(some), closing.signal, onError))) return
    }
    messages.forEach((message) => message.ack())
  })
  return {
    take: (message) => {
      if (closing.signal.aborted || batches.size() >= heldMax) return
      batches.add(message)
    },
    close: () => {
      closing.abort()
      return batches.settle()
    },
  }
}

function eventIdsOf(body: string, log: Log): string[] {
  const value = parsed(body)
  if (notices.Check(value)) return value.map(({ eventId }) => eventId)
  log.error({ body: body.slice(0, 200) }, 'no notices of events')
  return []
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
