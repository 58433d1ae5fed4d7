// Callers who wait for the next event of their workspace. They are woken at once by what this process records. What
// other processes record is found by one query for all waiting callers, repeated while there are any.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'

export type LongPoll = {
  /**
   * Resolves to true when there may be events after `sequence`. Resolves to false when `signal` is aborted, when too
   * many wait already, and after `close`.
   */
  waitForEvents(workspaceId: string, sequence: number, signal: AbortSignal): Promise<boolean>
  /** Wakes the callers who wait for events of this workspace. */
  notify(workspaceId: string): void
  /** Ends every wait, and lets no one wait any more. */
  close(): Promise<void>
}

export type LongPollBounds = { readonly all: number; readonly perWorkspace: number; readonly pollEveryMs: number }
// Each waiting caller holds a connection of the gateway: most of those must be left to calls that end quickly.
const bounds: LongPollBounds = { all: 64, perWorkspace: 16, pollEveryMs: 500 }
const idleMs = 60_000

type Waiter = { readonly sequence: number; readonly end: (found: boolean) => void }

export function openLongPoll(
  db: Database,
  onError: (error: unknown) => void,
  { all, perWorkspace, pollEveryMs }: LongPollBounds = bounds,
): LongPoll {
  const waiters = new Map<string, Set<Waiter>>()
  let size = 0
  let closed = false

  const polling = loop(async () => {
    if (size === 0) return idleMs
    const last = await lastSequences(db, [...waiters.keys()])
    for (const [workspaceId, newest] of last) endWaits(workspaceId, true, ({ sequence }) => newest > sequence)
    return pollEveryMs
  }, onError)

  function endWaits(workspaceId: string, found: boolean, which: (waiter: Waiter) => boolean = () => true): void {
    for (const waiter of [...(waiters.get(workspaceId) ?? [])].filter(which)) waiter.end(found)
  }

  function waitForEvents(workspaceId: string, sequence: number, signal: AbortSignal): Promise<boolean> {
    const own = waiters.get(workspaceId) ?? new Set()
    if (closed || signal.aborted || size >= all || own.size >= perWorkspace) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const onAbort = () => waiter.end(false)
    const waiter: Waiter = {
      sequence,
      end: (found) => {
        if (!own.delete(waiter)) return
        size--
        if (own.size === 0) waiters.delete(workspaceId)
        signal.removeEventListener('abort', onAbort)
        resolve(found)
      },
    }
    signal.addEventListener('abort', onAbort)
    waiters.set(workspaceId, own.add(waiter))
    // The first query comes at once: an event may have been recorded since the caller read the feed.
    if (size++ === 0) polling.wake()
    return promise
  }

  return {
    waitForEvents,
    notify: (workspaceId) => endWaits(workspaceId, true),
    close: () => {
      closed = true
      for (const workspaceId of [...waiters.keys()]) endWaits(workspaceId, false)
      return polling.close()
    },
  }
}

async function lastSequences(db: Database, workspaceIds: readonly string[]): Promise<[string, number][]> {
  const rows = await db.eventSequence.findMany({ where: { workspaceId: { in: [...workspaceIds] } } })
  return rows.map(({ workspaceId, last }) => [workspaceId, Number(last)])
}
