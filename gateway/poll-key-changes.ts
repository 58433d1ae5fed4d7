// Keys and workspaces that have changed. The service that changes one publishes a notification over Redis, and mostly
// that is enough. But a notification that is lost leaves no trace, and any of the connections between services, Redis
// and gateways may be down without the others knowing. So a gateway also polls any service that answers, once a second.
//
// Why a revocation holds within 4 s whatever connection is cut: a change that was committed at T is in every answer to
// a poll that began after T. If one such poll is answered, the key is invalidated then. If none is, the last answered
// one began before T, so at T + 4 s at the latest the gateway no longer counts as up to date, and then no entry is used
// that was fetched 4 s ago or earlier (gateway/key-cache.ts): none from before T. Both times are the gateway's own,
// from the moment at which it asked, so neither clocks nor slow networks matter.
import type { KeyChange, RecentKeyChanges } from '#contract/internal/key-changes.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'

type Invalidation = { invalidate(change: KeyChange): void; invalidateAll(): void }
export type KeyChangePoller = Part & { isUpToDate(): boolean }

/** For how long an answered poll counts as up to date, and how old an entry may be without one. */
export const upToDateMs = 4_000
const pollEveryMs = 1_000

/** `onError` is called once when polls begin to fail. */
export function pollKeyChanges(
  fetchChanges: () => Promise<RecentKeyChanges>,
  keys: Invalidation,
  onError: (error: unknown) => void,
  { everyMs = pollEveryMs, now = () => performance.now() } = {},
): KeyChangePoller {
  let polledAt = -Infinity
  let known: ReadonlySet<string> = new Set()
  let failing = false

  async function poll(): Promise<number> {
    const startedAt = now()
    const { changes, complete } = await fetchChanges()
    const missed = changes.filter(({ number }) => !known.has(number))
    if (complete) missed.forEach(keys.invalidate)
    else if (missed.length > 0) keys.invalidateAll()
    known = new Set(changes.map(({ number }) => number))
    polledAt = startedAt
    failing = false
    return everyMs
  }
  const polling = loop(poll, (error) => {
    if (!failing) onError(error)
    failing = true
  })
  return { isUpToDate: () => now() < polledAt + upToDateMs, close: polling.close }
}

/** Handles a notification. One that cannot be read may have been about any key. */
export function onKeyChangeMessage(text: string, keys: Invalidation): void {
  const change = changeIn(text)
  if (change === null) keys.invalidateAll()
  else keys.invalidate(change)
}

function changeIn(text: string): KeyChange | null {
  try {
    const { kind, id } = JSON.parse(text) as Partial<KeyChange>
    return (kind === 'api-key' || kind === 'workspace') && typeof id === 'string' ? { kind, id } : null
  } catch {
    return null
  }
}
