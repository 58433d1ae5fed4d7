// Keys and workspaces that have changed. The service that changes one publishes a notification over Redis, and mostly
// that is enough. But a notification that is lost leaves no trace, and any of the connections between services, Redis
// and gateways may be down without the others knowing. So a gateway also polls any service that answers, once a second.
//
// Why a revocation holds within 4 s whatever connection is cut: a change that was committed at T is in every answer to
// a poll that began after T. If one such poll is answered, the key is invalidated then. If none is, the last answered
// one began before T, so at T + 4 s at the latest the gateway no longer counts as up to date, and then no entry is used
// that was fetched 4 s ago or earlier (gateway/keys/key-cache.ts): none from before T. Both times are the gateway's
// own, from the moment at which it asked, so neither clocks nor slow networks matter.
//
// While polls are answered, an entry may be old: whatever changed was in an answer. So that this is true after a gap,
// everything counts as changed when no poll that began in the last 45 s was answered: a service tells of 90 s, and the
// rest is for a change that is committed long after it was written.
//
// One thing goes before the 4 s: a gateway that gets no answer from any service. Where polls fail, Redis is away, and
// this very key was asked for in vain a moment ago, an entry is used until it is 120 s old; then calls are answered
// 503. No one can revoke through this gateway then, or through a service that it reaches; and whatever it lets through
// needs a service to be served. As soon as one answers a question for the key, a poll, or Redis is back, the 4 s hold
// again.
//
// When Redis is back, messages may have been lost: the next poll is made at once. Keys are asked for 64 at a time at
// most (gateway/keys/key-fetches.ts), so that a gateway which must ask for all of them anew does not flood the service.
import type { KeyChange, RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'

type Invalidation = {
  invalidate(change: KeyChange): void
  invalidateAll(): void
  /** The same, and forgets which versions it was told of: the database has gone back. */
  beginAnew(): void
}
export type KeyChangePoller = Part & {
  /** How long ago the last answered poll began; Infinity when there was none. */
  lagMs(): number
  /** Polls at once. */
  wake(): void
}

/** For how long an answered poll counts as up to date, and how old an entry may be without one. */
export const upToDateMs = 4_000
/** How old an entry may be at most. Without an answered poll for as long, everything counts as changed. */
export const entryMaxAgeMs = 120_000
const pollEveryMs = 1_000
/** Half of what an answer covers (service/keys/api-keys/rows.ts). */
const gapMaxMs = 45_000

/** `onError` is called once when polls begin to fail. */
export function pollKeyChanges(
  fetchChanges: () => Promise<RecentKeyChanges>,
  keys: Invalidation,
  onError: (error: unknown) => void,
  { everyMs = pollEveryMs, now = () => performance.now() } = {},
): KeyChangePoller {
  let polledAt = -Infinity
  let known: ReadonlySet<string> = new Set()
  let knownEpoch: string | null = null
  let failing = false
  let isAllVoid = false

  async function poll(): Promise<number> {
    const startedAt = now()
    // A service of an older version tells none.
    const { changes, complete, epoch = knownEpoch } = await fetchChanges()
    const missed = changes.filter(({ number }) => !known.has(number))
    const hasGap = polledAt > -Infinity && startedAt - polledAt > gapMaxMs
    if (polledAt > -Infinity && epoch !== knownEpoch) keys.beginAnew()
    else if (hasGap || (!complete && missed.length > 0)) keys.invalidateAll()
    else missed.forEach((change) => keys.invalidate(change))
    knownEpoch = epoch
    known = new Set(changes.map(({ number }) => number))
    polledAt = startedAt
    failing = false
    isAllVoid = false
    return everyMs
  }
  const polling = loop(poll, (error) => {
    if (!failing) onError(error)
    failing = true
    if (!isAllVoid && lagMs() >= entryMaxAgeMs) {
      isAllVoid = true
      keys.invalidateAll()
    }
  })
  const lagMs = (): number => now() - polledAt
  return { lagMs, wake: polling.wake, close: polling.close }
}

/** Handles a notification. One that cannot be read may have been about any key. */
export function onKeyChangeMessage(text: string, keys: Omit<Invalidation, 'beginAnew'>): void {
  const change = changeIn(text)
  if (change === null) keys.invalidateAll()
  else keys.invalidate(change)
}

const kinds: readonly KeyChange['kind'][] = ['api-key', 'workspace', 'session', 'member']

function changeIn(text: string): KeyChange | null {
  try {
    const { kind, id, version } = JSON.parse(text) as Partial<KeyChange>
    if (!kinds.some((known) => known === kind) || typeof id !== 'string') return null
    return { kind: kind as KeyChange['kind'], id, ...(typeof version === 'number' && { version }) }
  } catch {
    return null
  }
}
