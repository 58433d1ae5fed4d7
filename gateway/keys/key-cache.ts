// The keys that the gateway has looked up, so that the service is asked once and not for each call. A change
// (gateway/keys/key-changes.ts) takes effect at once. An entry is fresh for a while; then it is used on while it is
// refreshed behind the call (gateway/keys/key-fetches.ts), up to its greatest age. How old it may be while changes may
// be missing is argued there too.
//
// A fetch that a change overtook is thrown away: each entry carries the number of the latest change when its fetch
// began, and the versions of what it is made of (gateway/keys/invalidations.ts).
import type { KeyChange, RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import { unavailable } from '#contract/faults/fault.ts'
import { keyFetches, keyRefreshes, type Fetched, type FetchKeys } from './key-fetches.ts'
import { invalidations, type Invalidations } from './invalidations.ts'
import { entryMaxAgeMs, onKeyChangeMessage, pollKeyChanges, upToDateMs } from './key-changes.ts'
import type { Log } from '#runtime/log.ts'
import type { Part } from '#runtime/process.ts'
import type { OpenStreams } from '../overload/open-streams-limit.ts'
import type { Key } from './key.ts'
import { isDeepStrictEqual } from 'node:util'
import { lazyLru } from '#runtime/lazy-lru.ts'

export type KeyCache = {
  /**
   * At once when the key is cached. Null: no key has this hash. Rejects with `unavailable` when it cannot be found out.
   */
  get(hash: string): Key | null | Promise<Key | null>
  /** True when the hash was that of a key lately, or surely is that of none. The key may have changed since. */
  has(hash: string): boolean
  /** Returns false when the change was known. */
  invalidate(change: KeyChange): boolean
  invalidateAll(): void
  beginAnew(): void
  /** The number of the latest change; `isUnchanged` says whether any that came after it concerns the key. */
  changeNumber(): number
  isUnchanged(key: Key, since: number): boolean
  /** The same of workspaces, members and sessions. */
  areUnchanged(ids: readonly string[], since: number): boolean
  stats(): KeyCacheStats
}
type KeyCacheStats = {
  readonly size: number
  /** Look-ups that a fresh entry answered, or one past its freshness, and those that had to wait for the service. */
  readonly hits: number
  readonly staleServed: number
  readonly misses: number
  /** Requests to the service, those behind a call included. */
  readonly fetches: number
  /** For how long a change may have gone unnoticed; Infinity before the first answered poll. */
  readonly invalidationLagMs: number
  /** Whether that is short enough for keys to be kept on. */
  readonly isUpToDate: boolean
}
export type KeySource = {
  /** Resolves to null when no key has this hash. */
  fetchKey(hash: string): Promise<Key | null>
  readonly fetchKeys: FetchKeys
}
/** Where changes come from. */
type ChangeSources = {
  /** How long ago the last answered poll began. */
  lagMs(): number
  /** Whether Redis, too, would tell of a change now. */
  isNotified(): boolean
}
export const keysMax = 100_000
const freshMs = 30_000
/** Of one key, while it changes. */
const attemptsMax = 3
/** For so long after a failed fetch the key is not asked for again where an entry serves instead. */
const retryAfterMs = 1_000

export function keyCache(
  { fetchKey, fetchKeys }: KeySource,
  sources: ChangeSources,
  now = () => performance.now(),
): KeyCache {
  const changes = invalidations(keysMax, now)
  const known = knownKeys(keysMax, changes)
  const counts = { hits: 0, staleServed: 0, misses: 0, fetches: 0 }
  const fetches = keyFetches(fetchInto(known, changes, counted(fetchKey, counts), now))
  const refresh = keyRefreshes(known, changes, counted(fetchKeys, counts), now)

  const hasJustFailed = ({ failedAt }: Entry, at: number): boolean => failedAt > at - retryAfterMs
  function served(as: 'hits' | 'staleServed', key: Key | null): Key | null {
    counts[as] += 1
    return key
  }

  function get(hash: string): Key | null | Promise<Key | null> {
    const at = now()
    const entry = known.valid(hash, at)
    if (entry === null) return known.isMiss(hash, at) ? served('hits', null) : fetchNow(hash)
    const isUpToDate = sources.lagMs() < upToDateMs
    if (entry.at > at - (isUpToDate ? freshMs : upToDateMs)) return served('hits', entry.key)
    if (!isUpToDate) return getInTheDark(hash, entry, at)
    if (!hasJustFailed(entry, at)) refresh(hash)
    return served('staleServed', entry.key)
  }

  /** Where neither a service nor Redis can say anything, what was known lately holds. */
  function getInTheDark(hash: string, entry: Entry, at: number): Key | null | Promise<Key | null> {
    if (hasJustFailed(entry, at) && !sources.isNotified()) return served('staleServed', entry.key)
    return fetchNow(hash).catch((error: unknown) => {
      const still = known.valid(hash, now())
      if (still === null || sources.isNotified()) throw error
      return served('staleServed', still.key)
    })
  }

  function fetchNow(hash: string): Promise<Key | null> {
    counts.misses += 1
    return fetches.fetch(hash)
  }

  return {
    get,
    has: (hash) => known.has(hash) || known.isMiss(hash, now()),
    invalidate: changes.add,
    invalidateAll: changes.addAll,
    beginAnew: changes.beginAnew,
    changeNumber: changes.current,
    isUnchanged: changes.areNoneOf,
    areUnchanged: changes.areNone,
    stats: () => {
      const invalidationLagMs = sources.lagMs()
      return { ...counts, size: known.size(), invalidationLagMs, isUpToDate: invalidationLagMs < upToDateMs }
    },
  }
}

/** Counts the requests to the service. */
function counted<T, R>(fetch: (what: T) => R, counts: { fetches: number }): (what: T) => R {
  return (what) => {
    counts.fetches += 1
    return fetch(what)
  }
}

/** A fetch that a change overtook is made again. */
function fetchInto(
  known: KnownKeys,
  changes: Invalidations,
  fetchKey: (hash: string) => Promise<Key | null>,
  now: () => number,
): (hash: string) => Promise<Key | null> {
  async function fetchUnchanged(hash: string): Promise<Fetched> {
    for (let attempts = 0; attempts < attemptsMax; attempts++) {
      const [at, since] = [now(), changes.current()]
      const key = await fetchKey(hash)
      if (key === null || changes.areNoneOf(key, since)) return { key, at, since }
    }
    throw unavailable('The key is changing right now.')
  }

  return async (hash) => {
    try {
      const fetched = await fetchUnchanged(hash)
      known.keep(hash, fetched)
      return fetched.key
    } catch (error) {
      known.failed(hash, now())
      throw error
    }
  }
}

// The entries: of each hash a key, with what is needed to judge whether it still holds, or that there is none.

type Entry = {
  key: Key
  at: number
  since: number
  /** The latest change that is known not to concern it. */
  validAt: number
  /** When a fetch of it last failed. */
  failedAt: number
  isRefreshing: boolean
}
type KnownKeys = {
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

function knownKeys(max: number, changes: Invalidations): KnownKeys {
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
    valid,
    keep,
    failed,
    beginRefresh,
    notRefreshed,
    isMiss: (hash, at) => (missedAt.get(hash) ?? -Infinity) > at - missMaxAgeMs,
    has: (hash) => entries.has(hash),
    size: () => entries.size,
  }
}

// The key cache with what tells it of changes: notifications over Redis, and polls. Whatever invalidates a key also
// ends the streams that are open with it, and so do changes of sessions and members, of which nothing is cached.

type KeyChangeListener = {
  message(text: string): void
  /** Messages come from now on; those from before may be lost. */
  connected?(): void
}
export type KeyChangeDeps = {
  /** Subscribes to notifications of changed keys. One that is missed is made up for by polling. */
  readonly listen: (on: KeyChangeListener) => Part & { isConnected(): boolean }
  readonly log: Log
}

export function openKeyCache(
  { listen, log }: KeyChangeDeps,
  service: KeySource & { fetchKeyChanges(): Promise<RecentKeyChanges> },
  streams: Pick<OpenStreams, 'endOf' | 'endEach'>,
): Part & { readonly keys: KeyCache } {
  const keys = keyCache(service, {
    lagMs: () => changes.lagMs(),
    isNotified: () => subscription.isConnected(),
  })
  const changed = {
    invalidate(change: KeyChange): void {
      if (keys.invalidate(change)) streams.endOf(change.id)
    },
    invalidateAll(): void {
      keys.invalidateAll()
      streams.endEach()
    },
    beginAnew(): void {
      log.warn('the installation was restored from a backup: every key is asked for anew')
      keys.beginAnew()
      streams.endEach()
    },
  }
  const changes = pollKeyChanges(service.fetchKeyChanges, changed, (error) =>
    log.warn({ err: error }, 'no service answers which keys have changed; keys are fetched anew every few seconds'),
  )
  const subscription = listen({ message: (text) => onKeyChangeMessage(text, changed), connected: changes.wake })
  async function close(): Promise<void> {
    await Promise.all([subscription.close(), changes.close()])
  }
  return { keys, close }
}
