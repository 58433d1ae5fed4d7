// Those who wait for the next event of a workspace. Told at once of what this process has recorded; what others have
// recorded shows in one look a moment for all who wait, however many they are.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'

export type Waiting = {
  /** Resolves with true when the feed may have gone beyond the sequence; with false when there is nothing to wait for. */
  more(workspaceId: string, sequence: number, until: AbortSignal): Promise<boolean>
  tell(workspaceId: string): void
  /** Everybody goes, and nobody waits any more. */
  close(): Promise<void>
}

export type Bounds = { readonly all: number; readonly perWorkspace: number; readonly lookEveryMs: number }
// Each holds a connection of the gateway's: they must leave most of those to calls that are over in a moment.
const bounds: Bounds = { all: 64, perWorkspace: 16, lookEveryMs: 500 }
const idleMs = 60_000

type Waiter = { readonly sequence: number; readonly end: (more: boolean) => void }

export function openWaiting(
  db: Database,
  onError: (error: unknown) => void,
  { all, perWorkspace, lookEveryMs }: Bounds = bounds,
): Waiting {
  const waiters = new Map<string, Set<Waiter>>()
  let size = 0
  let closed = false

  const looking = loop(async () => {
    if (size === 0) return idleMs
    const reached = await ends(db, [...waiters.keys()])
    for (const [workspaceId, last] of reached) endThose(workspaceId, true, ({ sequence }) => last > sequence)
    return lookEveryMs
  }, onError)

  function endThose(workspaceId: string, more: boolean, which: (waiter: Waiter) => boolean = () => true): void {
    for (const waiter of [...(waiters.get(workspaceId) ?? [])].filter(which)) waiter.end(more)
  }

  function more(workspaceId: string, sequence: number, until: AbortSignal): Promise<boolean> {
    const own = waiters.get(workspaceId) ?? new Set()
    if (closed || until.aborted || size >= all || own.size >= perWorkspace) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const leave = () => waiter.end(false)
    const waiter: Waiter = {
      sequence,
      end: (found) => {
        if (!own.delete(waiter)) return
        size--
        if (own.size === 0) waiters.delete(workspaceId)
        until.removeEventListener('abort', leave)
        resolve(found)
      },
    }
    until.addEventListener('abort', leave)
    waiters.set(workspaceId, own.add(waiter))
    // The first look comes at once: something may have happened since the caller's own.
    if (size++ === 0) looking.wake()
    return promise
  }

  return {
    more,
    tell: (workspaceId) => endThose(workspaceId, true),
    close: () => {
      closed = true
      for (const workspaceId of [...waiters.keys()]) endThose(workspaceId, false)
      return looking.close()
    },
  }
}

async function ends(db: Database, workspaceIds: readonly string[]): Promise<[string, number][]> {
  const rows = await db.eventSequence.findMany({ where: { workspaceId: { in: [...workspaceIds] } } })
  return rows.map(({ workspaceId, last }) => [workspaceId, Number(last)])
}
