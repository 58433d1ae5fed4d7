// When a call may use the database. A change waits for the changes of its workspace that came before it, and then every
// call for a place among those that the pool has connections for: both in memory, holding nothing that others need. So
// however much one workspace sends, the connections are there for the next, and a part of them is nobody's: look-ups of
// keys, the operator and the service's own work never wait behind callers.
import { Fault } from '#contract/fault.ts'
import type { Principal } from '#contract/principal.ts'
import { openSlots, type Refusal, type Slots } from '#runtime/concurrency-limit.ts'

type Caller = Pick<Principal, 'kind' | 'id' | 'workspaceId'>

/** Others use the place of a call meanwhile. */
export type Idle = <T>(wait: () => Promise<T>) => Promise<T>

export type Access = {
  /** One at a time in each workspace. The signal is that of a caller who goes away. */
  change<T>(caller: Caller, left: AbortSignal | undefined, run: () => Promise<T>): Promise<T>
  read<T>(caller: Caller, left: AbortSignal | undefined, run: (idle: Idle) => Promise<T>): Promise<T>
}
export type Bounds = {
  readonly waitMs: number
  /** Changes that wait: of a workspace, and of one key in it. */
  readonly workspaceChangesMax: number
  readonly keyChangesMax: number
}

const waitingMax = 4_096
const workspaceCallsMax = 512
const standard: Bounds = { waitMs: 8_000, workspaceChangesMax: 256, keyChangesMax: 128 }

export function openAccess(connections: number, bounds: Bounds = standard): Access {
  const turns = openSlots(
    {
      all: { running: Infinity, waiting: waitingMax },
      each: [
        { running: 1, waiting: bounds.workspaceChangesMax },
        { running: 1, waiting: bounds.keyChangesMax },
      ],
    },
    bounds.waitMs,
  )
  const { places, share } = placesOf(connections)
  const placed = openSlots(
    { all: { running: places, waiting: waitingMax }, each: [{ running: share, waiting: workspaceCallsMax }] },
    bounds.waitMs,
  )

  async function read<T>(caller: Caller, left: AbortSignal | undefined, run: (idle: Idle) => Promise<T>): Promise<T> {
    if (caller.kind === 'operator') return run((wait) => wait())
    const holders = [caller.workspaceId ?? caller.id]
    let release = await acquired(placed, holders, left)
    const idle: Idle = async (wait) => {
      release()
      try {
        return await wait()
      } finally {
        release = await acquired(placed, holders)
      }
    }
    try {
      return await run(idle)
    } finally {
      release()
    }
  }

  async function change<T>(caller: Caller, left: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    const { workspaceId, id } = caller
    if (workspaceId === null) return read(caller, left, run)
    const release = await acquired(turns, [workspaceId, id], left)
    return read(caller, left, run).finally(release)
  }
  return { change, read }
}

/** One workspace has at most half of the connections, and never all places: of two, somebody has the other. */
export function placesOf(connections: number): { readonly places: number; readonly share: number } {
  const reserve = connections < 6 ? 1 : 2
  const places = connections - reserve
  return { places, share: Math.max(1, Math.min(Math.floor(connections / 2), places - 1)) }
}

async function acquired(slots: Slots, holders: readonly string[], left?: AbortSignal): Promise<() => void> {
  const entry = await slots.acquire(holders, left)
  if (entry.kind === 'acquired') return entry.release
  throw new Fault('unavailable', reasons[entry.why], { retryAfterSeconds: 1 })
}

const reasons: Readonly<Record<Refusal, string>> = {
  full: 'Too many calls of this workspace wait already. Try again.',
  late: 'Earlier calls of this workspace have not ended in time. Try again.',
  left: 'The caller has gone.',
}
