// Follows the feed of events: each event once, in order, from a position on. A position is the number of an event, so
// whoever keeps it can go on from it after a restart.
import { ApiError, ConnectionError } from './errors.ts'
import { pause, type Sender } from './send.ts'
import { retryableCodes } from './operations.ts'
import type { EventData, EventRecord } from './schema.ts'

export type EventType = keyof EventData
type SegmentOf<T extends string> = T extends `${infer S}.${string}` ? S : never
/** One type, all of a segment (`tasks.*`), or all. */
export type EventPattern = EventType | `${SegmentOf<EventType>}.*` | '*'

type TypesOf<P extends EventPattern> = P extends '*'
  ? EventType
  : P extends `${infer S}.*`
    ? Extract<EventType, `${S}.${string}`>
    : Extract<P, EventType>

/** An event with the type of its data: `event.type` tells them apart. */
export type ApiEvent<T extends EventType = EventType> = {
  [K in T]: Omit<EventRecord, 'type' | 'data'> & { type: K; data: EventData[K] }
}[T]

export type FollowOptions<P extends EventPattern = '*'> = {
  /** The last position that was worked off. Default: the oldest event that is kept. */
  readonly after?: number | undefined
  /** In place of it, begins after a time. */
  readonly occurredAfter?: string | undefined
  readonly eventTypes?: readonly P[] | undefined
  readonly resourceId?: string | undefined
  /** Ends where no more events are, in place of waiting for the next. */
  readonly untilCaughtUp?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Read it by `for await`. */
export type EventFeed<P extends EventPattern = '*'> = AsyncIterable<ApiEvent<TypesOf<P>>> & {
  /**
   * Keep it, and give it as `after` next time: every event up to it has been worked off. An event is, once the next one
   * is asked for. Null before anything is known.
   */
  readonly position: number | null
}

type Answer = { data: { sequence: number }[]; lastSequence: number; hasMore: boolean }

const waitSeconds = 20
const waitMarginMs = 10_000
const againAfterMs = 1_000
const againAfterMsMax = 30_000

export function followEvents<P extends EventPattern>(
  send: Sender['send'],
  options: FollowOptions<P> = {},
): EventFeed<P> {
  const { after, occurredAfter, untilCaughtUp = false, signal, ...filters } = options
  let position = after ?? null

  async function* events(): AsyncGenerator<ApiEvent<TypesOf<P>>, void> {
    let wait = 0
    for (;;) {
      const from = position === null ? { occurredAfter } : { after: position }
      const { data, lastSequence, hasMore } = await answered({ ...filters, ...from, limit: 200, wait })
      for (const event of data) {
        // The contract says so.
        yield event as unknown as ApiEvent<TypesOf<P>>
        position = event.sequence
      }
      position = lastSequence
      if (untilCaughtUp && !hasMore) return
      wait = hasMore || untilCaughtUp ? 0 : waitSeconds
    }
  }

  /** Goes on after what may pass, for as long as that takes. */
  async function answered(input: object): Promise<Answer> {
    for (let failures = 0; ; failures++) {
      try {
        const timeoutMs = waitSeconds * 1_000 + waitMarginMs
        return (await send('events.list', input, { signal, timeoutMs })) as Answer
      } catch (error) {
        signal?.throwIfAborted()
        if (!mayPass(error)) throw error
        await pause(Math.min(againAfterMs * 2 ** failures, againAfterMsMax) * (0.5 + Math.random() / 2), signal)
      }
    }
  }

  return {
    get position() {
      return position
    },
    [Symbol.asyncIterator]: events,
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof ApiError
    ? retryableCodes.includes(error.code)
    : error instanceof ConnectionError && (error.status === null || error.status === 429 || error.status >= 500)
