// What the gateway remembers of keys, so that the service is asked once and not for each call. A change is heard of
// (gateway/key-changes.ts) and holds at once; while changes may go unheard, nothing is believed for longer than a few
// seconds.
//
// Each change gets a number, and each remembered key carries the number that was current when its fill began. A key is
// good only if nothing that it is made of has changed since: that also throws away a fill that a change overtook.
import { LRUCache } from 'lru-cache'
import { Fault } from '#contract/fault.ts'
import type { KeyChange } from '#contract/principal.ts'
import { believedMs } from './key-changes.ts'
import type { Key } from './policies/key.ts'

export type KeyMemory = {
  /** Null: no such key. Rejects where the service must be asked and cannot be. */
  get(hash: string): Promise<Key | null>
  /** Was this a key lately, or surely none? It may have changed since. */
  knows(hash: string): boolean
  forget(change: KeyChange): void
  forgetAll(): void
}
type Ask = (hash: string) => Promise<Key | null>
type Known = { readonly key: Key; readonly at: number; readonly since: number }

export const keysMax = 100_000
const keptMs = 30_000
const unknownKeptMs = 5_000
const fillsMax = 3

export function keyMemory(ask: Ask, isUpToDate: () => boolean, now = () => performance.now()): KeyMemory {
  const known = new LRUCache<string, Known>({ max: keysMax })
  const unknown = new LRUCache<string, number>({ max: keysMax })
  const asking = new Map<string, Promise<Key | null>>()
  const changes = changeLog()

  function remembered(hash: string): Key | null | undefined {
    const entry = known.get(hash)
    const youngest = now() - (isUpToDate() ? keptMs : believedMs)
    if (entry !== undefined && entry.at > youngest && changes.noneSince(entry.since, entry.key)) return entry.key
    const missedAt = unknown.get(hash)
    return missedAt !== undefined && missedAt > now() - unknownKeptMs ? null : undefined
  }

  async function fill(hash: string): Promise<Key | null> {
    for (let tries = 0; tries < fillsMax; tries++) {
      const entry = { at: now(), since: changes.current() }
      const key = await ask(hash)
      if (key === null) {
        known.delete(hash)
        unknown.set(hash, entry.at)
        return null
      }
      if (!changes.noneSince(entry.since, key)) continue
      unknown.delete(hash)
      known.set(hash, { key, ...entry })
      return key
    }
    throw new Fault('unavailable', 'The key is changing right now.', { retryAfterSeconds: 1 })
  }

  function sharedFill(hash: string): Promise<Key | null> {
    const running = asking.get(hash)
    if (running !== undefined) return running
    const started = fill(hash).finally(() => asking.delete(hash))
    asking.set(hash, started)
    return started
  }

  return {
    get: async (hash) => {
      const key = remembered(hash)
      return key === undefined ? sharedFill(hash) : key
    },
    knows: (hash) => known.has(hash) || remembered(hash) === null,
    forget: ({ id }) => changes.add(id),
    forgetAll: () => changes.addAll(),
  }
}

/** Numbered changes of keys and workspaces. Those it no longer holds count as changes of everything. */
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
