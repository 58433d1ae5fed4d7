// Keys and workspaces that have changed. The service that changes one says so over Redis, and mostly that is all it
// takes. But a broadcast that did not come leaves no trace, and any of the connections between services, Redis and gateways
// may be down without the others knowing. So a gateway also asks, about every second, any service that answers.
//
// Why a revocation holds within 4 s whatever is cut: a change that was committed at T is in every answer to a question
// that was asked after T. If one such question is answered, the key is forgotten then. If none is, the last answered one
// was asked before T, so at T + 4 s at the latest the gateway no longer counts as up to date, and then nothing is believed
// that was asked 4 s ago or earlier (gateway/key-cache.ts): nothing from before T. Both times are the gateway's own, from
// the moment at which it asked, so neither clocks nor slow networks matter.
import type { KeyChange, RecentKeyChanges } from '#contract/principal.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'

type Forgetting = { forget(change: KeyChange): void; forgetAll(): void }
export type KeyChangeFollower = Part & { isUpToDate(): boolean }

/** For how long an answer is believed to be the latest, and how old a remembered key may be without one. */
export const believedMs = 4_000
const askEveryMs = 1_000

/** `onLost` is called once when questions begin to fail. */
export function followKeyChanges(
  ask: () => Promise<RecentKeyChanges>,
  keys: Forgetting,
  onLost: (error: unknown) => void,
  { everyMs = askEveryMs, now = () => performance.now() } = {},
): KeyChangeFollower {
  let askedAt = -Infinity
  let known: ReadonlySet<string> = new Set()
  let failing = false

  async function askOnce(): Promise<number> {
    const startedAt = now()
    const { changes, complete } = await ask()
    const unheard = changes.filter(({ number }) => !known.has(number))
    if (complete) unheard.forEach(keys.forget)
    else if (unheard.length > 0) keys.forgetAll()
    known = new Set(changes.map(({ number }) => number))
    askedAt = startedAt
    failing = false
    return everyMs
  }
  const asking = loop(askOnce, (error) => {
    if (!failing) onLost(error)
    failing = true
  })
  return { isUpToDate: () => now() < askedAt + believedMs, close: asking.close }
}

/** Takes what was broadcast. What cannot be read may have been about any key. */
export function hearKeyChange(text: string, keys: Forgetting): void {
  const change = changeIn(text)
  if (change === null) keys.forgetAll()
  else keys.forget(change)
}

function changeIn(text: string): KeyChange | null {
  try {
    const { kind, id } = JSON.parse(text) as Partial<KeyChange>
    return (kind === 'api-key' || kind === 'workspace') && typeof id === 'string' ? { kind, id } : null
  } catch {
    return null
  }
}
