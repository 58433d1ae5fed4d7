// What the gateway has been told of hashes: a key, with what is needed to judge whether that still holds, or that there
// is none.
import { LRUCache } from 'lru-cache'
import type { Tombstones } from './key-tombstones.ts'
import { entryMaxAgeMs } from './poll-key-changes.ts'
import type { Key } from './policies/key.ts'

/** `at`: when the fetch began, and `since`: the latest change at that moment. */
export type Fetched = { readonly key: Key | null; readonly at: number; readonly since: number }
export type Entry = Omit<Fetched, 'key'> & {
  readonly key: Key
  /** The latest change that is known not to concern it. */
  validAt: number
  /** When a fetch of it last failed. */
  failedAt: number
}
export type KnownKeys = {
  /** Returns an entry that no change concerns and that is not too old for any use. */
  valid(hash: string, at: number): Entry | null
  /** Whether the service has said lately that no key has the hash. */
  isMiss(hash: string, at: number): boolean
  has(hash: string): boolean
  keep(hash: string, fetched: Fetched): void
  failed(hash: string, at: number): void
  size(): number
}

const missMaxAgeMs = 5_000

export function knownKeys(max: number, changes: Tombstones): KnownKeys {
  const entries = new LRUCache<string, Entry>({ max })
  const missedAt = new LRUCache<string, number>({ max })

  function valid(hash: string, at: number): Entry | null {
    const entry = entries.get(hash)
    if (entry === undefined || entry.at <= at - entryMaxAgeMs) return null
    const current = changes.current()
    if (entry.validAt !== current && !changes.areNoneOf(entry.key, entry.since)) return null
    entry.validAt = current
    return entry
  }

  function keep(hash: string, { key, at, since }: Fetched): void {
    if (key === null) {
      entries.delete(hash)
      missedAt.set(hash, at)
    } else {
      missedAt.delete(hash)
      entries.set(hash, { key, at, since, validAt: since, failedAt: -Infinity })
    }
  }

  function failed(hash: string, at: number): void {
    const entry = entries.peek(hash)
    if (entry !== undefined) entry.failedAt = at
  }

  return {
    ...{ valid, keep, failed },
    isMiss: (hash, at) => (missedAt.get(hash) ?? -Infinity) > at - missMaxAgeMs,
    has: (hash) => entries.has(hash),
    size: () => entries.size,
  }
}
