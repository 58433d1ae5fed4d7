// Streams that a caller keeps open to be told of changes (MCP's subscriptions/listen, and those of the settings API).
// They last as long as the caller likes and do next to nothing, so that they have a limit of their own and hold no slot
// of the calls under way.
//
// A stream is allowed by what its key was when it was opened, or its person's session and membership. So it is ended by
// any change of these or of the workspace, by the same message that makes the gateway forget a key, and when its time
// is over: the caller opens it again, and is judged anew.
import { Fault, overCapacity, unavailable } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import type { RequestContext } from '../request/request-context.ts'
import { subjectsOf } from './concurrent-calls-limit.ts'

export const streamsMax = 256
const ofWorkspace = 20
const ofKey = 5
const retryAfterSeconds = 15

export type OpenStreams = {
  /**
   * Returns a signal that is aborted when the stream has to end: its key or workspace has changed, the time is over, or
   * this process is about to stop. The place is held until the response closes. `endsAt` is asked once changes are
   * heard of: milliseconds since 1970. Throws `rate_limited` when the key or its workspace has enough of them, and
   * `unavailable`.
   */
  open(principal: Principal, context: Closing, endsAt: () => number): Promise<AbortSignal>
  count(): number
  /** Ends the streams of a key, a member or a session, or all in a workspace. */
  endOf(id: string): void
  endEach(): void
  /** Ends each, and none is opened after this. */
  endAll(): void
}
type Closing = Pick<RequestContext, 'onClose'>
type Stream = { readonly of: readonly string[]; end(): void }

export function openStreamsLimit(): OpenStreams {
  const none = { waiting: 0 }
  const each = [ofWorkspace, ofKey].map((running) => ({ running, ...none }))
  const limit = openConcurrencyLimit({ all: { running: streamsMax, ...none }, each }, 0)
  const streams = new Set<Stream>()
  let isEnding = false

  async function open(principal: Principal, context: Closing, endsAt: () => number): Promise<AbortSignal> {
    if (isEnding) throw unavailable('This part of the service is about to stop. Open the stream again.')
    const acquired = await limit.acquire(subjectsOf(principal))
    if (acquired.kind === 'refused')
      throw limit.inUse() < streamsMax ? tooMany() : overCapacity('streams', 'Too many streams are open.')
    const ending = new AbortController()
    const stream = { of: allowing(principal), end: () => ending.abort() }
    streams.add(stream)
    const stopTimer = callAt(endsAt(), stream.end)
    context.onClose(() => {
      streams.delete(stream)
      stopTimer()
      acquired.release()
    })
    return ending.signal
  }

  const endThose = (which: (stream: Stream) => boolean): void => [...streams].filter(which).forEach(({ end }) => end())
  const endEach = (): void => endThose(() => true)
  const endOf = (id: string): void => endThose(({ of }) => of.includes(id))
  const endAll = (): void => {
    isEnding = true
    endEach()
  }
  return { open, count: limit.inUse, endOf, endEach, endAll }
}

/** The ids of what allows a stream of this caller. */
export const allowing = (principal: Principal): string[] =>
  principal.session === undefined ? subjectsOf(principal) : [...subjectsOf(principal), principal.session.id]

/** A timer takes no more than 25 days at a time. */
const timerMsMax = 2 ** 31 - 1

/** Returns what stops it. `time`: milliseconds since 1970, or Infinity. */
function callAt(time: number, act: () => void): () => void {
  if (time === Infinity) return () => {}
  if (time <= Date.now()) {
    act()
    return () => {}
  }
  let timer: NodeJS.Timeout
  const arm = (): void => {
    const waitMs = time - Date.now()
    timer = setTimeout(waitMs > timerMsMax ? arm : act, Math.min(waitMs, timerMsMax)).unref()
  }
  arm()
  return () => clearTimeout(timer)
}

const tooMany = (): Fault =>
  new Fault(
    'rate_limited',
    `A key can have at most ${ofKey} streams open, and a workspace ${ofWorkspace}. Close one first.`,
    {
      retryAfterSeconds,
      'violated-policies': ['streams'],
    },
  )
