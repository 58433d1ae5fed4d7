// Bounds how many things run at a time, and shares their slots fairly. A caller that finds no slot waits in memory,
// before it holds anything that others need, for a bounded time and behind a bounded number of others.
//
// An item is entered for its tenants, from the widest to the narrowest: a workspace, then a key. Each tenant has a
// share of what runs and of what waits. Tenants are served round robin, the widest among each other and the narrower
// ones within them: however much one of them has waiting, the next item of another is behind at most one of it.
/** `full`: too many wait already. `late`: no slot came free in time. `aborted`: by the caller's signal. */
export type Refusal = 'full' | 'late' | 'aborted'
export type Acquired = { readonly kind: 'acquired'; release(): void } | Refused
/** `level`: whose share was used up, 0 for that of all together, n for that of the n-th tenant. */
export type Refused = { readonly kind: 'refused'; readonly why: Refusal; readonly level: number }

export type ConcurrencyLimit = {
  /** Waits for a slot. Tenants are named from the widest to the narrowest. Stops waiting on abort. Never rejects. */
  acquire(tenants: readonly string[], signal?: AbortSignal): Promise<Acquired>
  /** Returns what releases the slot, or null where the call would have to wait. */
  acquireNow(tenants: readonly string[]): (() => void) | null
  inUse(): number
  waiting(): number
  /** For how many ms a caller has waited without any slot coming free: 0 when one is free or no caller waits. */
  stuckForMs(): number
}
type Waiting = { readonly tenants: readonly string[]; readonly resolve: (acquired: Acquired) => void }

export function openConcurrencyLimit(
  shares: Shares,
  waitMs: number,
  now: () => number = () => performance.now(),
): ConcurrencyLimit {
  const queue = fairQueue<Waiting>(shares)
  const allInUse = () => queue.running() >= shares.all.running
  let movedAt = now()

  function slotOf(tenants: readonly string[]): () => void {
    let released = false
    movedAt = now()
    return () => {
      if (released) return
      released = true
      queue.release(tenants)
      for (let next = queue.next(); next !== undefined; next = queue.next()) next.resolve(acquired(next.tenants))
    }
  }
  const acquired = (tenants: readonly string[]): Acquired => ({ kind: 'acquired', release: slotOf(tenants) })

  async function acquire(tenants: readonly string[], signal?: AbortSignal): Promise<Acquired> {
    if (signal?.aborted === true) return refused('aborted', 0)
    const { promise, resolve } = Promise.withResolvers<Acquired>()
    const waiting: Waiting = { tenants, resolve }
    const isFirst = queue.waiting() === 0
    const entry = queue.enter(tenants, waiting)
    if (entry === 'runs') return acquired(tenants)
    if (entry === 'full') return refused('full', queue.usedUp('waiting', tenants))
    if (isFirst) movedAt = now()
    function refuse(why: Refusal): void {
      if (queue.remove(tenants, waiting)) resolve(refused(why, queue.usedUp('running', tenants)))
    }
    const onAbort = (): void => refuse('aborted')
    const timer = setTimeout(() => refuse('late'), waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    acquire,
    acquireNow: (tenants) => (queue.runs(tenants) ? slotOf(tenants) : null),
    inUse: queue.running,
    waiting: queue.waiting,
    stuckForMs: () => (allInUse() && queue.waiting() > 0 ? now() - movedAt : 0),
  }
}

const refused = (why: Refusal, level: number): Acquired => ({ kind: 'refused', why, level })

/** How many items run at a time, and how many may wait. */
type Share = { readonly running: number; readonly waiting: number }
/** The share of all together, and of each tenant by level. A tenant below several wider ones has one share over all. */
export type Shares = { readonly all: Share; readonly each: readonly Share[] }

/** The item may run at once, it waits, or there is no room left to wait. */
type Entry = 'runs' | 'waits' | 'full'

export type FairQueue<T> = {
  enter(tenants: readonly string[], item: T): Entry
  /** As `enter`, for what would not wait: returns false where it cannot run at once. */
  runs(tenants: readonly string[]): boolean
  /** The next item whose tenants' shares have room. To be called after each release until it returns undefined. */
  next(): T | undefined
  /** Called when an item of these tenants has run. */
  release(tenants: readonly string[]): void
  /** Takes an item out of the queue. Returns false when it does not wait. */
  remove(tenants: readonly string[], item: T): boolean
  /**
   * Whose share an item of these tenants found used up: 0 for that of all together, n for that of the n-th tenant, the
   * narrowest first. It waits where that of `running` is, and is refused where that of `waiting` is.
   */
  usedUp(kind: 'running' | 'waiting', tenants: readonly string[]): number
  running(): number
  waiting(): number
}

export function fairQueue<T>({ all, each }: Shares): FairQueue<T> {
  const levels = [all, ...each]
  const queue = emptyQueue<T>()
  const running = countsByTenant()
  const waiting = countsByTenant()

  const hasRoom = (counts: Counts, kind: keyof Share, tenants: readonly string[]): boolean =>
    levels.every((share, level) => counts.of(level, tenants) < share[kind])

  /** Whether the share of the last of these tenants has room. */
  const mayRun = (tenants: readonly string[]): boolean =>
    running.of(tenants.length, tenants) < (levels[tenants.length]?.running ?? Infinity)

  /** An item that runs at once overtakes none: of those that wait, none may run. */
  function runs(tenants: readonly string[]): boolean {
    const isFree = hasRoom(running, 'running', tenants)
    if (isFree) running.add(tenants, 1)
    return isFree
  }

  function enter(tenants: readonly string[], item: T): Entry {
    if (runs(tenants)) return 'runs'
    if (!hasRoom(waiting, 'waiting', tenants)) return 'full'
    queueOf(queue, tenants).items.push(item)
    waiting.add(tenants, 1)
    return 'waits'
  }

  function next(): T | undefined {
    const found = mayRun([]) ? takeNext(queue, [], mayRun) : undefined
    if (found === undefined) return undefined
    waiting.add(found.tenants, -1)
    running.add(found.tenants, 1)
    return found.item
  }

  function remove(tenants: readonly string[], item: T): boolean {
    if (!removeFrom(queue, tenants, item)) return false
    waiting.add(tenants, -1)
    return true
  }

  return {
    enter,
    runs,
    next,
    remove,
    usedUp: (kind, tenants) =>
      Math.max(
        0,
        levels.findLastIndex(
          (share, level) => (kind === 'running' ? running : waiting).of(level, tenants) >= share[kind],
        ),
      ),
    release: (tenants) => running.add(tenants, -1),
    running: () => running.of(0, []),
    waiting: () => waiting.of(0, []),
  }
}

type Counts = {
  /** At level 0 the count of all, at level n that of the n-th tenant. */
  of(level: number, tenants: readonly string[]): number
  add(tenants: readonly string[], change: 1 | -1): void
}

/** Counts at every level. A tenant whose count is 0 takes no memory. */
function countsByTenant(): Counts {
  const byLevel: Map<string, number>[] = []
  let all = 0

  function change(counts: Map<string, number>, name: string, by: number): void {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return {
    of: (level, tenants) => (level === 0 ? all : (byLevel[level]?.get(tenants[level - 1] ?? '') ?? 0)),
    add(tenants, by) {
      all += by
      for (let level = 1; level <= tenants.length; level++)
        change((byLevel[level] ??= new Map()), tenants[level - 1] ?? '', by)
    },
  }
}

/**
 * The items that wait are a tree of tenants. What waits for a tenant: its own items, and the queues of the narrower
 * tenants in the order in which they are served. Items are in an array and not in a Set, whose former tables would hold
 * on to what has long gone.
 */
type TenantQueue<T> = { readonly inner: Map<string, TenantQueue<T>>; readonly items: T[] }

const emptyQueue = <T>(): TenantQueue<T> => ({ inner: new Map(), items: [] })
const isEmpty = ({ inner, items }: TenantQueue<unknown>): boolean => inner.size === 0 && items.length === 0

/** A tenant that was served goes to the end; one whose share is used up keeps its position. */
function takeNext<T>(
  queue: TenantQueue<T>,
  tenants: readonly string[],
  mayRun: (tenants: readonly string[]) => boolean,
): { item: T; tenants: readonly string[] } | undefined {
  const item = queue.items.shift()
  if (item !== undefined) return { item, tenants }
  for (const [name, inner] of queue.inner) {
    const narrower = [...tenants, name]
    const found = mayRun(narrower) ? takeNext(inner, narrower, mayRun) : undefined
    if (found === undefined) continue
    queue.inner.delete(name)
    if (!isEmpty(inner)) queue.inner.set(name, inner)
    return found
  }
  return undefined
}

/** The queue of the last of these tenants, made when there is none yet. */
function queueOf<T>(queue: TenantQueue<T>, [name, ...narrower]: readonly string[]): TenantQueue<T> {
  if (name === undefined) return queue
  const inner = queue.inner.get(name) ?? emptyQueue<T>()
  queue.inner.set(name, inner)
  return queueOf(inner, narrower)
}

/** Returns false when the item does not wait. */
function removeFrom<T>(queue: TenantQueue<T>, [name, ...narrower]: readonly string[], item: T): boolean {
  if (name === undefined) return removeItem(queue.items, item)
  const inner = queue.inner.get(name)
  if (inner === undefined || !removeFrom(inner, narrower, item)) return false
  if (isEmpty(inner)) queue.inner.delete(name)
  return true
}

function removeItem<T>(items: T[], item: T): boolean {
  const at = items.indexOf(item)
  if (at !== -1) items.splice(at, 1)
  return at !== -1
}
