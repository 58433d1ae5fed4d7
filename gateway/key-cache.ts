// The keys that the gateway has looked up, so that the service is asked once and not for each call. A notification of a
// change (gateway/poll-key-changes.ts) takes effect at once; while notifications may be missing, no entry is used for longer
// than a few seconds.
//
// Each change gets a number, and each entry carries the number that was current when its fetch began. An entry is used
// only if nothing that the key is made of has changed since: that also throws away a fetch that a change overtook.
import { LRUCache } from 'lru-cache'
import type { KeyChange } from '#contract/internal/key-changes.ts'
import { unavailable } from '#contract/common-faults.ts'
import { upToDateMs } from './poll-key-changes.ts'
import type { Key } from './policies/key.ts'

export type KeyCache = {
  /** Resolves to null when no key has this hash. Rejects with `unavailable` when the service cannot be asked. */
  get(hash: string): Promise<Key | null>
  /** True when the hash was that of a key lately, or surely is that of none. The key may have changed since. */
  has(hash: string): boolean
  invalidate(change: KeyChange): void
  invalidateAll(): void
}
type FetchKey = (hash: string) => Promise<Key | null>
type Entry = { readonly key: Key; readonly at: number; readonly since: number }

export const keysMax = 100_000
const entryMaxAgeMs = 30_000
/** Of a miss: the service has said that no key has the hash. */
const missMaxAgeMs = 5_000
const fetchesMax = 3

export function keyCache(fetchKey: FetchKey, isUpToDate: () => boolean, now = () => performance.now()): KeyCache {
  const entries = new LRUCache<string, Entry>({ max: keysMax })
  const misses = new LRUCache<string, number>({ max: keysMax })
  const fetching = new Map<string, Promise<Key | null>>()
  const changes = changeLog()

  /** Returns undefined when the service must be asked. */
  function cached(hash: string): Key | null | undefined {
    const entry = entries.get(hash)
    const oldest = now() - (isUpToDate() ? entryMaxAgeMs : upToDateMs)
    if (entry !== undefined && entry.at > oldest && changes.noneSince(entry.since, entry.key)) return entry.key
    const missedAt = misses.get(hash)
    return missedAt !== undefined && missedAt > now() - missMaxAgeMs ? null : undefined
  }

  async function fetchUnchanged(hash: string): Promise<Key | null> {
    for (let fetches = 0; fetches < fetchesMax; fetches++) {
      const entry = { at: now(), since: changes.current() }
      const key = await fetchKey(hash)
      if (key === null) {
        entries.delete(hash)
        misses.set(hash, entry.at)
        return null
      }
      if (!changes.noneSince(entry.since, key)) continue
      misses.delete(hash)
      entries.set(hash, { key, ...entry })
      return key
    }
    throw unavailable('The key is changing right now.')
  }

  function sharedFetch(hash: string): Promise<Key | null> {
    const running = fetching.get(hash)
    if (running !== undefined) return running
    const started = fetchUnchanged(hash).finally(() => fetching.delete(hash))
    fetching.set(hash, started)
    return started
  }

  return {
    get: async (hash) => {
      const key = cached(hash)
      return key === undefined ? sharedFetch(hash) : key
    },
    has: (hash) => entries.has(hash) || cached(hash) === null,
    invalidate: ({ id }) => changes.add(id),
    invalidateAll: () => changes.addAll(),
  }
}

/** Numbered changes of keys and workspaces. Changes that it no longer holds count as changes of everything. */
function changeLog() {
  let number = 0
  let allAt = 0
  const dispose = (at: number, _id: string, reason: string) => {
    if (reason === 'evict') allAt = Math.max(allAt, at)
  }
  const changedAt = new LRUCache<string, number>({ max: keysMax, dispose })
  return {
    current: () => number,
    add: (id: string) => void changedAt.set(id, ++number),
    addAll: () => void (allAt = ++number),
    noneSince: (since: number, { id, workspaces }: Key) =>
      [id, ...workspaces.map((workspace) => workspace.id)].every((one) => (changedAt.get(one) ?? 0) <= since) &&
      allAt <= since,
  }
}
