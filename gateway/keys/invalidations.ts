// The changes that the gateway was told of, so that nothing older is used: of each key and workspace the last one.
// Changes are numbered as they are told; whatever was fetched before one is void. So is whatever bears a lower version
// than the change has made, whenever it was fetched.
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { lazyLru } from '#runtime/lazy-lru.ts'
import type { Key } from './key.ts'

type Invalidation = { readonly number: number; readonly version: number | undefined; readonly at: number }
type Subject = { readonly id: string; readonly version?: number | undefined }
export type Invalidations = {
  /** The number of the latest change. */
  current(): number
  /** Returns false when it was told before, as by Redis and then by a poll: that changes nothing. */
  add(change: KeyChange): boolean
  /** As if everything had changed. */
  addAll(): void
  /** The same, and versions may be lower than those that were told. */
  beginAnew(): void
  /** True unless something that the key is made of has changed after the change with this number, or is newer. */
  areNoneOf(key: Key, since: number): boolean
  /** The same of anything by its id. */
  areNone(ids: readonly string[], since: number): boolean
}

/**
 * Longer than any entry is used or any fetch takes: until then versions are compared. Not for ever, since a database
 * that was restored counts anew from lower ones, which a gateway may not be told.
 */
const comparedForMs = 150_000

/** The least recent change that no longer fits counts as one of everything. */
export function invalidations(max: number, now: () => number): Invalidations {
  let number = 0
  let allAt = 0
  const dispose = (evicted: Invalidation, _id: string, reason: string) => {
    if (reason === 'evict') allAt = Math.max(allAt, evicted.number)
  }
  const tombstones = lazyLru<Invalidation>(max, { dispose })

  const comparable = (id: string): number | undefined => {
    const { version, at } = tombstones.peek(id) ?? { version: undefined, at: 0 }
    return at > now() - comparedForMs ? version : undefined
  }

  function isOutdated({ id, version = Infinity }: Subject, since: number): boolean {
    return (tombstones.peek(id)?.number ?? 0) > since || (comparable(id) ?? 0) > version
  }

  return {
    current: () => number,
    add: ({ id, version }) => {
      if (version !== undefined && (comparable(id) ?? -1) >= version) return false
      tombstones.set(id, { number: ++number, version: version ?? comparable(id), at: now() })
      return true
    },
    addAll: () => {
      number += 1
      allAt = number
    },
    beginAnew: () => {
      tombstones.clear()
      number += 1
      allAt = number
    },
    areNoneOf: (key, since) =>
      allAt <= since && !isOutdated(key, since) && !key.workspaces.some((workspace) => isOutdated(workspace, since)),
    areNone: (ids, since) => allAt <= since && !ids.some((id) => isOutdated({ id }, since)),
  }
}
