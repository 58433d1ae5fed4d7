// Wakes the streams of deliveries when some have changed. While a workspace has streams it is watched: the database
// then writes down each delivery that changes (prisma/schema/dispatcher.prisma), whichever process changes it. One
// repeated statement looks for changes for all streams; without streams nothing runs.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'
import { keepWatching, newChanges } from './change-rows.ts'

export type DeliveryWatch = Part & {
  /** Resolves when every change from then on is written down. The caller must call `leave`. */
  join(workspaceId: string): Promise<{ readonly leave: () => void }>
  /** A number that grows with every change. */
  changeNumber(workspaceId: string): number
  /** Resolves when there is a change after this number, the time is over, or the signal is aborted. */
  untilChanged(workspaceId: string, since: number, withinMs: number, signal: AbortSignal): Promise<void>
}

const pollEveryMs = 500
const idleMs = 3_600_000
const renewEveryMs = 60_000

type Watched = {
  followers: number
  changes: number
  /** Not looked at yet: a change since it joined may be in the last snapshot already. */
  isNew: boolean
  readonly wakeups: Set<() => void>
}

export function openDeliveryWatch(db: Database, onError: (error: unknown) => void): DeliveryWatch {
  const watched = new Map<string, Watched>()
  let seen: string | null = null
  let renewAt = 0

  const polling = loop(async () => {
    const workspaceIds = [...watched.keys()]
    if (workspaceIds.length === 0) {
      seen = null
      return idleMs
    }
    if (Date.now() >= renewAt) {
      for (const id of workspaceIds) await keepWatching(db, id)
      renewAt = Date.now() + renewEveryMs
    }
    const { snapshot, changed } = await newChanges(db, workspaceIds, seen)
    seen = snapshot
    for (const id of workspaceIds) {
      const one = watched.get(id)
      if (one !== undefined && (one.isNew || changed.includes(id))) note(one)
    }
    return pollEveryMs
  }, onError)

  function note(one: Watched): void {
    one.isNew = false
    one.changes++
    one.wakeups.forEach((wake) => wake())
  }

  async function join(workspaceId: string): Promise<{ leave: () => void }> {
    const own = watched.get(workspaceId) ?? { followers: 0, changes: 0, isNew: true, wakeups: new Set() }
    watched.set(workspaceId, own)
    own.followers++
    let isIn = true
    const leave = (): void => {
      if (isIn && --own.followers === 0) watched.delete(workspaceId)
      isIn = false
    }
    try {
      await keepWatching(db, workspaceId)
    } catch (error) {
      leave()
      throw error
    }
    polling.wake()
    return { leave }
  }

  async function untilChanged(id: string, since: number, withinMs: number, signal: AbortSignal): Promise<void> {
    const own = watched.get(id)
    if (own !== undefined && own.changes === since) await wakeUp(own.wakeups, withinMs, signal)
  }

  return { join, untilChanged, changeNumber: (id) => watched.get(id)?.changes ?? 0, close: polling.close }
}

/** Resolves when it is woken, the time is over, or the signal is aborted. */
function wakeUp(wakeups: Set<() => void>, withinMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      wakeups.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, signal.aborted ? 0 : withinMs)
    wakeups.add(done)
    signal.addEventListener('abort', done)
  })
}
