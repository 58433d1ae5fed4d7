// How many calls are under way to the service, over REST and MCP together. Each key and each workspace has a share; the
// operator has slots of its own, so that whatever keys do it can see to them. A slot is taken late, when all that the
// caller has to send in advance is there, and given back when its answer is sent or its connection ended.
import type { ServerResponse } from 'node:http'
import { Fault } from '#contract/fault.ts'
import type { Principal } from '#contract/principal.ts'
import type { Shares } from '#runtime/fair-queue.ts'
import { openSlots, type Refusal } from '#runtime/concurrency-limit.ts'

/** A third of them for a workspace; all that a key may call at once can wait (contract/size-limits.ts). */
const ofKeys: Shares = {
  all: { running: 112, waiting: 4_096 },
  each: [
    { running: 40, waiting: 512 },
    { running: 16, waiting: 128 },
  ],
}
const ofOperator: Shares = { all: { running: 16, waiting: 256 }, each: [] }
/** So many connections to the service are needed at most. */
export const slotsMax = ofKeys.all.running + ofOperator.all.running

export type ServiceSlots = {
  /**
   * Held until the response is closed, or what is given back is called. Rejects with `unavailable`, and when the caller
   * leaves.
   */
  hold(principal: Principal, left: AbortSignal, response: ServerResponse): Promise<() => void>
  /** For how long calls of keys have waited without any slot coming free. */
  stuckForMs(): number
}

export function serviceSlots(waitMs: number): ServiceSlots {
  const [keys, operator] = [openSlots(ofKeys, waitMs), openSlots(ofOperator, waitMs)]

  async function hold(principal: Principal, left: AbortSignal, response: ServerResponse): Promise<() => void> {
    const isKey = principal.kind === 'api_key'
    const acquired = await (isKey ? keys.acquire(holdersOf(principal), left) : operator.acquire([], left))
    if (acquired.kind === 'refused') throw refusal(acquired.why)
    if (response.closed) acquired.release()
    else response.once('close', acquired.release)
    return acquired.release
  }
  return { hold, stuckForMs: keys.stuckForMs }
}

/** A call outside of any workspace is the key's alone. */
const holdersOf = ({ id, workspaceId }: Principal): string[] => [workspaceId ?? `none of ${id}`, id]

function refusal(why: Refusal): Fault {
  const detail =
    why === 'full'
      ? 'Too many calls are waiting for those before them.'
      : 'The calls before this one took too long. Send fewer at a time.'
  return new Fault('unavailable', detail, { retryAfterSeconds: 1 })
}
