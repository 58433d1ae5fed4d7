// When a call may use the database. A change first waits for the earlier changes of its workspace, then every call
// waits for one of the slots that the pool has connections for: both in memory, holding nothing that others need. So
// however much one workspace sends, the connections are there for the next one. Some connections are kept out of the
// slots: look-ups of keys, the operator and the service's own work never wait behind callers.
import type { Principal } from '#contract/internal/principal.ts'
import { unavailable } from '#contract/common-faults.ts'
import { requestCancelled } from '../faults/request-cancelled.ts'
import { openConcurrencyLimit, type Refusal, type ConcurrencyLimit } from '#runtime/concurrency-limit.ts'

type Caller = Pick<Principal, 'kind' | 'id' | 'workspaceId'>

/** Gives the slot of a call to others while it waits. */
export type WithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>

export type DatabaseSlots = {
  /** One at a time in each workspace. The signal is aborted when the caller has gone. */
  change<T>(caller: Caller, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T>
  read<T>(caller: Caller, signal: AbortSignal | undefined, run: (withoutSlot: WithoutSlot) => Promise<T>): Promise<T>
  usage(): SlotUsage
}
/** How many slots there are, are in use and are waited for, and how many changes wait for earlier ones of their workspace. */
type SlotUsage = {
  readonly slots: number
  readonly inUse: number
  readonly waiting: number
  readonly changesWaiting: number
}
export type Bounds = {
  readonly waitMs: number
  /** How many changes may wait: of a workspace, and of one key in it. */
  readonly workspaceChangesMax: number
  readonly keyChangesMax: number
}

const waitingMax = 4_096
const workspaceCallsMax = 512
const defaultBounds: Bounds = { waitMs: 8_000, workspaceChangesMax: 256, keyChangesMax: 128 }

export function openDatabaseSlots(connections: number, bounds: Bounds = defaultBounds): DatabaseSlots {
  const workspaceQueues = openConcurrencyLimit(
    {
      all: { running: Infinity, waiting: waitingMax },
      each: [
        { running: 1, waiting: bounds.workspaceChangesMax },
        { running: 1, waiting: bounds.keyChangesMax },
      ],
    },
    bounds.waitMs,
  )
  const { total, perWorkspace } = slotsFor(connections)
  const connectionSlots = openConcurrencyLimit(
    { all: { running: total, waiting: waitingMax }, each: [{ running: perWorkspace, waiting: workspaceCallsMax }] },
    bounds.waitMs,
  )

  async function read<T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    run: (withoutSlot: WithoutSlot) => Promise<T>,
  ): Promise<T> {
    if (caller.kind === 'operator') return run((wait) => wait())
    const holders = [caller.workspaceId ?? caller.id]
    let release = await acquired(connectionSlots, holders, signal)
    const withoutSlot: WithoutSlot = async (wait) => {
      release()
      try {
        return await wait()
      } finally {
        release = await acquired(connectionSlots, holders)
      }
    }
    try {
      return await run(withoutSlot)
    } finally {
      release()
    }
  }

  async function change<T>(caller: Caller, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    const { workspaceId, id } = caller
    if (workspaceId === null) return read(caller, signal, run)
    const release = await acquired(workspaceQueues, [workspaceId, id], signal)
    return read(caller, signal, run).finally(release)
  }
  const usage = (): SlotUsage => ({
    ...{ slots: total, inUse: connectionSlots.inUse(), waiting: connectionSlots.waiting() },
    changesWaiting: workspaceQueues.waiting(),
  })
  return { change, read, usage }
}

/** One workspace has at most half of the connections, and never all slots: of two, another workspace has one. */
export function slotsFor(connections: number): { readonly total: number; readonly perWorkspace: number } {
  const reserve = connections < 6 ? 1 : 2
  const total = connections - reserve
  return { total, perWorkspace: Math.max(1, Math.min(Math.floor(connections / 2), total - 1)) }
}

async function acquired(
  slots: ConcurrencyLimit,
  holders: readonly string[],
  signal?: AbortSignal,
): Promise<() => void> {
  const entry = await slots.acquire(holders, signal)
  if (entry.kind === 'acquired') return entry.release
  throw entry.why === 'aborted' ? requestCancelled() : unavailable(reasons[entry.why])
}

const reasons: Readonly<Record<Exclude<Refusal, 'aborted'>, string>> = {
  full: 'Too many calls of this workspace wait already. Try again.',
  late: 'Earlier calls of this workspace have not ended in time. Try again.',
}
