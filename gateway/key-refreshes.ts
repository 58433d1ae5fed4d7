// Keys that are used on while they are refreshed. Nobody waits for them, so they are asked for many at a time: with very
// many keys in use, a question for each would cost as much as the calls themselves.
import { batcher } from '#runtime/batcher.ts'
import { keysPerQuestionMax } from '#contract/internal/gateway-endpoints.ts'
import type { Tombstones } from './key-tombstones.ts'
import type { KnownKeys } from './known-keys.ts'
import type { Key } from './policies/key.ts'

/** In the order of the hashes. */
export type FetchKeys = (hashes: readonly string[]) => Promise<readonly (Key | null)[]>

const refreshesMax = 10_000
const gatherMs = 20

/** Returns what takes the hash of a known key, once until it is refreshed. */
export function keyRefreshes(
  known: KnownKeys,
  changes: Tombstones,
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
    ...{ start: { waitMs: gatherMs }, maxItems: keysPerQuestionMax, maxHeld: refreshesMax },
  })
  return (hash) => {
    if (known.beginRefresh(hash)) add(hash)
  }
}
