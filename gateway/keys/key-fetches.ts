// The gateway asks the service for keys in two ways. Those that calls wait for are fetched: one of each key at a time,
// and so many in all that a gateway which has to ask for everything anew is no flood for the service.
import { overCapacity } from '#contract/faults/fault.ts'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import { batcher } from '#runtime/batcher.ts'
import { keysPerQuestionMax } from '#contract/internal/gateway-endpoints.ts'
import type { Invalidations } from './invalidations.ts'
import type { Key } from './key.ts'

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

// Keys that are used on while they are refreshed. No call waits for them, so they are asked for many at a time: with
// very many keys in use, a question for each would cost as much as the calls themselves.

/** `at`: when the fetch began, and `since`: the latest change at that moment. */
export type Fetched = { readonly key: Key | null; readonly at: number; readonly since: number }
/** The entries of the cache, as a refresh changes them. */
type RefreshedEntries = {
  /** Returns false when the entry is being refreshed already, or has gone. */
  beginRefresh(hash: string): boolean
  keep(hash: string, fetched: Fetched): void
  failed(hash: string, at: number): void
  /** Its refresh has come to nothing. */
  notRefreshed(hash: string): void
}
/** In the order of the hashes. */
export type FetchKeys = (hashes: readonly string[]) => Promise<readonly (Key | null)[]>

const refreshesMax = 10_000
const gatherMs = 20

/** Returns what takes the hash of a known key, once until it is refreshed. */
export function keyRefreshes(
  known: RefreshedEntries,
  changes: Invalidations,
  fetchKeys: FetchKeys,
  now: () => number,
): (hash: string) => void {
  async function refresh(hashes: readonly string[]): Promise<void> {
    const [at, since] = [now(), changes.current()]
    const keys = await fetchKeys(hashes)
    hashes.forEach((hash, index) => {
      const key = keys[index] ?? null
      // What a change has overtaken is fetched anew by the next call.
      if (key === null || changes.areNoneOf(key, since)) known.keep(hash, { key, at, since })
      else known.notRefreshed(hash)
    })
  }

  const { add } = batcher<string>({
    flush: refresh,
    onError: (_error, hashes) => {
      for (const hash of hashes) known.failed(hash, now())
      return 'drop'
    },
    onDropped: (hashes) => hashes.forEach(known.notRefreshed),
    start: { waitMs: gatherMs },
    maxItems: keysPerQuestionMax,
    maxHeld: refreshesMax,
  })
  return (hash) => {
    if (known.beginRefresh(hash)) add(hash)
  }
}
