// Streams that a caller keeps open to be told of changes (MCP's subscriptions/listen). They last as long as the caller
// likes and do next to nothing, so that they have a limit of their own and hold no slot of the calls under way.
import type { ServerResponse } from 'node:http'
import { Fault } from '#contract/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { unavailable } from '#contract/common-faults.ts'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import { subjectsOf } from './concurrent-calls-limit.ts'

export const streamsMax = 256
const ofWorkspace = 20
const ofKey = 5
const retryAfterSeconds = 15

export type OpenStreams = {
  /**
   * Returns a signal that is aborted when the stream has to end, because this process is about to. The place is held
   * until the response closes. Throws `rate_limited` when the key or its workspace has enough of them, and `unavailable`.
   */
  open(principal: Principal, response: ServerResponse): Promise<AbortSignal>
  /** None is opened after this. */
  endAll(): void
}

export function openStreamsLimit(): OpenStreams {
  const none = { waiting: 0 }
  const each = [ofWorkspace, ofKey].map((running) => ({ running, ...none }))
  const limit = openConcurrencyLimit({ all: { running: streamsMax, ...none }, each }, 0)
  const ending = new AbortController()

  async function open(principal: Principal, response: ServerResponse): Promise<AbortSignal> {
    if (ending.signal.aborted) throw unavailable('This part of the service is about to stop. Open the stream again.')
    const acquired = await limit.acquire(subjectsOf(principal))
    if (acquired.kind === 'refused')
      throw limit.inUse() < streamsMax ? tooMany() : unavailable('Too many streams are open.')
    if (response.closed) acquired.release()
    else response.once('close', acquired.release)
    return ending.signal
  }
  return { open, endAll: () => ending.abort() }
}

const tooMany = (): Fault =>
  new Fault(
    'rate_limited',
    `A key has at most ${ofKey} streams open, and a workspace ${ofWorkspace}. Close one first.`,
    {
      retryAfterSeconds,
      'violated-policies': ['streams'],
    },
  )
