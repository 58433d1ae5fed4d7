// The slots in which calls may use the database. A change first waits for the earlier changes of its workspace, then
// every call waits for one of the slots that the pool has connections for: both in memory, holding nothing that others
// need. So however much one workspace sends, the connections are there for the next one. Some connections are kept out
// of the slots: look-ups of keys, the operator and the service's own work never wait behind callers.
//
// A workspace has at most half of the slots, and within it a key half of that; people who are signed in have a share
// beside that of the keys. Calls of a kind that took long lately, such as searches of a large workspace, have half of
// the slots together: however many workspaces send them, what is quick finds the other half.
import { AsyncLocalStorage } from 'node:async_hooks'
import { overCapacity, type Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { openConcurrencyLimit, type ConcurrencyLimit, type Refused } from '#runtime/concurrency-limit.ts'
import { lazyLru } from '#runtime/lazy-lru.ts'
import { requestCancelled } from '../faults/database-faults.ts'

/** `work`: the kind of call, such as `search.query`. */
export type SlotCaller = Pick<Principal, 'kind' | 'id' | 'workspaceId'> & { readonly work?: string }

/** Gives the slot of a call to others while it waits. */
export type WithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>

export type DatabaseSlots = {
  /** One at a time in each workspace. The signal is aborted when the caller has gone. */
  change<T>(caller: SlotCaller, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T>
  read<T>(
    caller: SlotCaller,
    signal: AbortSignal | undefined,
    run: (withoutSlot: WithoutSlot) => Promise<T>,
  ): Promise<T>
  usage(): SlotUsage
}
/** Counts of slots that there are, are in use and are waited for, and of changes that wait for earlier ones. */
type SlotUsage = {
  readonly slots: number
  readonly inUse: number
  readonly waiting: number
  readonly changesWaiting: number
}
export type SlotBounds = {
  readonly waitMs: number
  /** The changes that may wait: of a workspace, and of one key in it. */
  readonly workspaceChangesMax: number
  readonly keyChangesMax: number
}

const waitingMax = 4_096
const workspaceCallsMax = 512
const keyCallsMax = 256
const defaultBounds: SlotBounds = { waitMs: 8_000, workspaceChangesMax: 256, keyChangesMax: 128 }
/** A call that held its slot for longer makes the next ones of its kind, in its workspace, slow ones. */
const slowMs = 100
const kindsRemembered = 10_000

export function openDatabaseSlots(
  connections: number,
  bounds: SlotBounds = defaultBounds,
  now: () => number = () => performance.now(),
): DatabaseSlots {
  const workspaceQueues = limit(
    { all: Infinity, workspace: 1, key: 1 },
    { workspace: bounds.workspaceChangesMax, key: bounds.keyChangesMax },
    bounds.waitMs,
  )
  const { take, noteTime, ...slots } = connectionSlots(connections, bounds.waitMs)

  async function read<T>(
    caller: SlotCaller,
    signal: AbortSignal | undefined,
    run: (withoutSlot: WithoutSlot) => Promise<T>,
  ): Promise<T> {
    if (caller.kind === 'operator') return run((wait) => wait())
    const tenants = tenantsOf(caller)
    const kind = `${tenants[0]} ${caller.work ?? ''}`
    let release = await take(tenants, kind, signal)
    let [heldMs, since] = [0, now()]
    const give = () => {
      release()
      heldMs += now() - since
    }
    const withoutSlot: WithoutSlot = async (wait) => {
      give()
      try {
        return await wait()
      } finally {
        release = await take(tenants, kind)
        since = now()
      }
    }
    try {
      return await run(withoutSlot)
    } finally {
      give()
      spendDatabaseTime(heldMs)
      noteTime(kind, heldMs)
    }
  }

  async function change<T>(caller: SlotCaller, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    const { workspaceId, id } = caller
    if (workspaceId === null) return read(caller, signal, run)
    const release = await acquired(workspaceQueues, [workspaceId, id], signal)
    // Its key has had its turn, and goes on reading while the change waits in the database for another service's.
    return read({ ...caller, id: changingIn(workspaceId) }, signal, run).finally(release)
  }
  const usage = (): SlotUsage => ({ ...slots.usage(), changesWaiting: workspaceQueues.waiting() })
  return { change, read, usage }
}

/** The calls that may run, or wait, of each. */
type Share = { readonly all: number; readonly workspace: number; readonly key: number }

const limit = (running: Share, waiting: Omit<Share, 'all'>, waitMs: number): ConcurrencyLimit =>
  openConcurrencyLimit(
    {
      all: { running: running.all, waiting: waitingMax },
      each: [
        { running: running.workspace, waiting: waiting.workspace },
        { running: running.key, waiting: waiting.key },
      ],
    },
    waitMs,
  )

/** The slots of connections, of which slow kinds of calls have half. */
function connectionSlots(connections: number, waitMs: number) {
  const { total, perWorkspace, perKey, slow, slowPerWorkspace } = slotsFor(connections)
  const waiting = { workspace: workspaceCallsMax, key: keyCallsMax }
  const all = limit({ all: total, workspace: perWorkspace, key: perKey }, waiting, waitMs)
  const ofSlow = limit({ all: slow, workspace: slowPerWorkspace, key: slowPerWorkspace }, waiting, waitMs)
  /** Of each kind of call in each workspace, whether the last one was slow. */
  const slowKinds = lazyLru<true>(kindsRemembered)

  /** Slow ones wait for their half first, holding nothing. */
  async function take(tenants: readonly string[], kind: string, signal?: AbortSignal): Promise<() => void> {
    if (!slowKinds.has(kind)) return acquired(all, tenants, signal)
    const releaseSlow = await acquired(ofSlow, tenants, signal)
    try {
      const release = await acquired(all, tenants, signal)
      return () => {
        release()
        releaseSlow()
      }
    } catch (error) {
      releaseSlow()
      throw error
    }
  }
  function noteTime(kind: string, heldMs: number): void {
    if (heldMs > slowMs) slowKinds.set(kind, true)
    else slowKinds.delete(kind)
  }
  const usage = () => ({ slots: total, inUse: all.inUse(), waiting: all.waiting() + ofSlow.waiting() })
  return { take, noteTime, usage }
}

/** The keys of a workspace, or the people who are signed in there, and of these the one. */
function tenantsOf({ kind, id, workspaceId }: SlotCaller): readonly [string, string] {
  const workspace = workspaceId ?? id
  return [kind === 'api_key' ? workspace : `${workspace} ${peopleOf}`, id]
}

const peopleOf = 'people'
/** In the place of the key's id. Each workspace has its own: one name would have one share of all slots. */
const changingIn = (workspaceId: string): string => `${workspaceId} changing`

type Shares = {
  readonly total: number
  readonly perWorkspace: number
  readonly perKey: number
  readonly slow: number
  readonly slowPerWorkspace: number
}

/**
 * One workspace has at most half of the connections, and never all slots: of two, another workspace has one. The same
 * holds of a key in its workspace, and of a workspace among slow calls.
 */
export function slotsFor(connections: number): Shares {
  const reserve = connections < 6 ? 1 : 2
  const total = connections - reserve
  const perWorkspace = half(connections, total)
  const slow = Math.max(1, Math.floor(total / 2))
  return { total, perWorkspace, perKey: half(perWorkspace + 1, perWorkspace), slow, slowPerWorkspace: half(slow, slow) }
}

const half = (of: number, all: number): number => Math.max(1, Math.min(Math.floor(of / 2), all - 1))

async function acquired(
  slots: ConcurrencyLimit,
  tenants: readonly string[],
  signal?: AbortSignal,
): Promise<() => void> {
  const entry = await slots.acquire(tenants, signal)
  if (entry.kind === 'acquired') return entry.release
  throw faultOf(entry, tenants)
}

/** Says whose calls there are too many of: those of the key or person, of the workspace, or of all together. */
function faultOf({ why, level }: Refused, [group = '']: readonly string[]): Fault {
  if (why === 'aborted') return requestCancelled()
  const isPerson = group.endsWith(` ${peopleOf}`)
  const [policy, whose] =
    level === 0
      ? (['service', 'of all workspaces together'] as const)
      : level === 1
        ? (['workspace', isPerson ? 'of people in this workspace' : 'of the keys of this workspace'] as const)
        : (['key', isPerson ? 'of yours' : 'of this key'] as const)
  const what =
    why === 'full' ? `Too many calls ${whose} wait already.` : `Earlier calls ${whose} have not ended in time.`
  return overCapacity(policy, `${what} Try again${level === 0 ? '' : ', with fewer at a time'}.`)
}

/** The database time that a request costs: for as long as its calls hold a slot. */
export type DatabaseTime = { ms: number }

const current = new AsyncLocalStorage<DatabaseTime>()

/** Adds to `time` what is spent within `work`, at any depth. */
export const countDatabaseTime = <T>(time: DatabaseTime, work: () => T): T => current.run(time, work)

function spendDatabaseTime(ms: number): void {
  const time = current.getStore()
  if (time !== undefined) time.ms += ms
}
