// The questions for keys that calls wait for: one of each key at a time, and so many in all that a gateway which has to ask
// for everything anew is no flood for the service.
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import { overCapacity } from '#contract/faults/fault.ts'

export type KeyFetches<K> = {
  /** Begins a fetch or joins the one that is under way. Rejects with `unavailable` when it finds no slot in time. */
  fetch(hash: string): Promise<K>
}

export const fetchesMax = 64
const waitingMax = 10_000
const slotWaitMs = 3_000

/** `waiting`: how many keys wait for a slot at most. */
export function keyFetches<K>(work: (hash: string) => Promise<K>, waiting = waitingMax): KeyFetches<K> {
  const running = new Map<string, Promise<K>>()
  const slots = openConcurrencyLimit({ all: { running: fetchesMax, waiting }, each: [] }, slotWaitMs)

  async function inSlot(hash: string): Promise<K> {
    const slot = await slots.acquire([])
    if (slot.kind === 'refused') throw overCapacity('key-lookups', 'Too many keys are being looked up.')
    try {
      return await work(hash)
    } finally {
      slot.release()
    }
  }

  function fetch(hash: string): Promise<K> {
    const joined = running.get(hash)
    if (joined !== undefined) return joined
    const begun = inSlot(hash).finally(() => running.delete(hash))
    running.set(hash, begun)
    return begun
  }
  return { fetch }
}
