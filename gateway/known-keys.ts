// What the gateway has been told of hashes: a key, with what is needed to judge whether that still holds, or that there
// is none.
import { isDeepStrictEqual } from 'node:util'
import { lazyLru } from '#runtime/lazy-lru.ts'
import type { Tombstones } from './key-tombstones.ts'
import { entryMaxAgeMs } from './poll-key-changes.ts'
import type { Key } from './policies/key.ts'

/** `at`: when the fetch began, and `since`: the latest change at that moment. */
export type Fetched = { readonly key: Key | null; readonly at: number; readonly since: number }
export type Entry = {
  key: Key
  at: number
  since: number
  /** The latest change that is known not to concern it. */
  validAt: number
  /** When a fetch of it last failed. */
  failedAt: number
  isRefreshing: boolean
}
export type KnownKeys = {
  /** Returns an entry that no change concerns and that is not too old for any use. */
  valid(hash: string, at: number): Entry | null
  /** Whether the service has said lately that no key has the hash. */
  isMiss(hash: string, at: number): boolean
  has(hash: string): boolean
  keep(hash: string, fetched: Fetched): void
  failed(hash: string, at: number): void
  /** Returns false when the entry is being refreshed already, or has gone. */
  beginRefresh(hash: string): boolean
  /** Its refresh has come to nothing. */
  notRefreshed(hash: string): void
  size(): number
}

const missMaxAgeMs = 5_000

export function knownKeys(max: number, changes: Tombstones): KnownKeys {
  const entries = lazyLru<Entry>(max)
  const missedAt = lazyLru<number>(max)

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
      const fetched = { at, since, validAt: since, failedAt: -Infinity, isRefreshing: false }
      const entry = entries.peek(hash)
      // The same key again stays as it is, with all that was worked out for it.
      if (entry !== undefined && isDeepStrictEqual(entry.key, key)) Object.assign(entry, fetched)
      else entries.set(hash, { key, ...fetched })
    }
  }

  function failed(hash: string, at: number): void {
    const entry = entries.peek(hash)
    if (entry === undefined) return
    entry.failedAt = at
    entry.isRefreshing = false
  }

  function beginRefresh(hash: string): boolean {
    const entry = entries.peek(hash)
    if (entry === undefined || entry.isRefreshing) return false
    entry.isRefreshing = true
    return true
  }

  function notRefreshed(hash: string): void {
    const entry = entries.peek(hash)
    if (entry !== undefined) entry.isRefreshing = false
  }

  return {
    ...{ valid, keep, failed, beginRefresh, notRefreshed },
    isMiss: (hash, at) => (missedAt.get(hash) ?? -Infinity) > at - missMaxAgeMs,
    has: (hash) => entries.has(hash),
    size: () => entries.size,
  }
}
