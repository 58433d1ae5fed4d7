// Bounds how many things run at a time; their slots are shared fairly (runtime/concurrency-limit.ts). Whoever finds no slot waits
// in memory, before it holds anything that others need, for a bounded time and behind a bounded number of others.
/** `full`: too many wait already. `late`: no slot came free in time. `aborted`: by the caller's signal. */
export type Refusal = 'full' | 'late' | 'aborted'
export type Acquired = { readonly kind: 'acquired'; release(): void } | Refused
/** `level`: whose share was used up, 0 for that of all together, n for that of the n-th holder. */
export type Refused = { readonly kind: 'refused'; readonly why: Refusal; readonly level: number }

export type ConcurrencyLimit = {
  /** Waits for a slot. Holders are named from the widest to the narrowest. Stops waiting on abort. Never rejects. */
  acquire(holders: readonly string[], signal?: AbortSignal): Promise<Acquired>
  /** Returns what releases the slot, or null where the call would have to wait. */
  acquireNow(holders: readonly string[]): (() => void) | null
  inUse(): number
  waiting(): number
  /** For how many ms somebody has waited without any slot coming free: 0 when one is free or nobody waits. */
  stuckForMs(): number
}
type Waiting = { readonly holders: readonly string[]; readonly resolve: (acquired: Acquired) => void }

export function openConcurrencyLimit(
  shares: Shares,
  waitMs: number,
  now: () => number = () => performance.now(),
): ConcurrencyLimit {
  const queue = fairQueue<Waiting>(shares)
  const allInUse = () => queue.running() >= shares.all.running
  let movedAt = now()

  function slotOf(holders: readonly string[]): () => void {
    let released = false
    movedAt = now()
    return () => {
      if (released) return
      released = true
      queue.release(holders)
      for (let next = queue.next(); next !== undefined; next = queue.next()) next.resolve(acquired(next.holders))
    }
  }
  const acquired = (holders: readonly string[]): Acquired => ({ kind: 'acquired', release: slotOf(holders) })

  async function acquire(holders: readonly string[], signal?: AbortSignal): Promise<Acquired> {
    if (signal?.aborted === true) return refused('aborted', 0)
    const { promise, resolve } = Promise.withResolvers<Acquired>()
    const waiting: Waiting = { holders, resolve }
    const isFirst = queue.waiting() === 0
    const entry = queue.enter(holders, waiting)
    if (entry === 'runs') return acquired(holders)
    if (entry === 'full') return refused('full', queue.usedUp('waiting', holders))
    if (isFirst) movedAt = now()
    const refuse = (why: Refusal): void =>
      void (queue.remove(holders, waiting) && resolve(refused(why, queue.usedUp('running', holders))))
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
    acquireNow: (holders) => (queue.runs(holders) ? slotOf(holders) : null),
    inUse: queue.running,
    waiting: queue.waiting,
    stuckForMs: () => (allInUse() && queue.waiting() > 0 ? now() - movedAt : 0),
  }
}

const refused = (why: Refusal, level: number): Acquired => ({ kind: 'refused', why, level })

// Decides fairly what runs next. An item is entered for its holders, from the widest to the narrowest: a workspace, then
// a key. Each holder has a share of what runs and of what waits. Holders are served round robin, the widest among each
// other and the narrower ones within them: however much one of them has waiting, the next item of another is behind at
// most one of it.

/** How many items run at a time, and how many may wait. */
type Share = { readonly running: number; readonly waiting: number }
/** The share of all together, and of each holder by level. A holder below several wider ones has one share over all. */
export type Shares = { readonly all: Share; readonly each: readonly Share[] }

/** The item may run at once, it waits, or there is no room left to wait. */
type Entry = 'runs' | 'waits' | 'full'

export type FairQueue<T> = {
  enter(holders: readonly string[], item: T): Entry
  /** As `enter`, for what would not wait: returns false where it cannot run at once. */
  runs(holders: readonly string[]): boolean
  /** The next item whose holders' shares have room. To be called after each release until it returns undefined. */
  next(): T | undefined
  /** Called when an item of these holders has run. */
  release(holders: readonly string[]): void
  /** Takes an item out of the queue. Returns false when it does not wait. */
  remove(holders: readonly string[], item: T): boolean
  /**
   * Whose share an item of these holders found used up: 0 for that of all together, n for that of the n-th holder, the
   * narrowest first. It waits where that of `running` is, and is refused where that of `waiting` is.
   */
  usedUp(kind: 'running' | 'waiting', holders: readonly string[]): number
  running(): number
  waiting(): number
}

export function fairQueue<T>({ all, each }: Shares): FairQueue<T> {
  const levels = [all, ...each]
  const queue = emptyQueue<T>()
  const running = countsByHolder()
  const waiting = countsByHolder()

  const hasRoom = (counts: Counts, kind: keyof Share, holders: readonly string[]): boolean =>
    levels.every((share, level) => counts.of(level, holders) < share[kind])

  /** Whether the share of the last of these holders has room. */
  const mayRun = (holders: readonly string[]): boolean =>
    running.of(holders.length, holders) < (levels[holders.length]?.running ?? Infinity)

  /** Whoever runs at once overtakes nobody: of those that wait, none may run. */
  function runs(holders: readonly string[]): boolean {
    const isFree = hasRoom(running, 'running', holders)
    if (isFree) running.add(holders, 1)
    return isFree
  }

  function enter(holders: readonly string[], item: T): Entry {
    if (runs(holders)) return 'runs'
    if (!hasRoom(waiting, 'waiting', holders)) return 'full'
    queueOf(queue, holders).items.push(item)
    waiting.add(holders, 1)
    return 'waits'
  }

  function next(): T | undefined {
    const found = mayRun([]) ? takeNext(queue, [], mayRun) : undefined
    if (found === undefined) return undefined
    waiting.add(found.holders, -1)
    running.add(found.holders, 1)
    return found.item
  }

  function remove(holders: readonly string[], item: T): boolean {
    if (!removeFrom(queue, holders, item)) return false
    waiting.add(holders, -1)
    return true
  }

  return {
    ...{ enter, runs, next, remove },
    usedUp: (kind, holders) =>
      Math.max(
        0,
        levels.findLastIndex(
          (share, level) => (kind === 'running' ? running : waiting).of(level, holders) >= share[kind],
        ),
      ),
    release: (holders) => running.add(holders, -1),
    running: () => running.of(0, []),
    waiting: () => waiting.of(0, []),
  }
}

type Counts = {
  /** At level 0 the count of all, at level n that of the n-th holder. */
  of(level: number, holders: readonly string[]): number
  add(holders: readonly string[], change: 1 | -1): void
}

/** Counts at every level. A holder whose count is 0 takes no memory. */
function countsByHolder(): Counts {
  const byLevel: Map<string, number>[] = []
  let all = 0

  function change(counts: Map<string, number>, name: string, by: number): void {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return {
    of: (level, holders) => (level === 0 ? all : (byLevel[level]?.get(holders[level - 1] ?? '') ?? 0)),
    add(holders, by) {
      all += by
      for (let level = 1; level <= holders.length; level++)
        change((byLevel[level] ??= new Map()), holders[level - 1] ?? '', by)
    },
  }
}

// The items that wait, as a tree of holders that is served round robin (runtime/concurrency-limit.ts).

/**
 * What waits for a holder: its own items, and the queues of the narrower holders in the order in which they are served.
 * Items are in an array and not in a Set, whose former tables would hold on to what has long gone.
 */
type HolderQueue<T> = { readonly inner: Map<string, HolderQueue<T>>; readonly items: T[] }

export const emptyQueue = <T>(): HolderQueue<T> => ({ inner: new Map(), items: [] })
const isEmpty = ({ inner, items }: HolderQueue<unknown>): boolean => inner.size === 0 && items.length === 0

/** A holder that was served goes to the end; one whose share is used up keeps its place. */
export function takeNext<T>(
  queue: HolderQueue<T>,
  holders: readonly string[],
  mayRun: (holders: readonly string[]) => boolean,
): { item: T; holders: readonly string[] } | undefined {
  const item = queue.items.shift()
  if (item !== undefined) return { item, holders }
  for (const [name, inner] of queue.inner) {
    const narrower = [...holders, name]
    const found = mayRun(narrower) ? takeNext(inner, narrower, mayRun) : undefined
    if (found === undefined) continue
    queue.inner.delete(name)
    if (!isEmpty(inner)) queue.inner.set(name, inner)
    return found
  }
  return undefined
}

/** The queue of the last of these holders, made when there is none yet. */
export function queueOf<T>(queue: HolderQueue<T>, [name, ...narrower]: readonly string[]): HolderQueue<T> {
  if (name === undefined) return queue
  const inner = queue.inner.get(name) ?? emptyQueue<T>()
  queue.inner.set(name, inner)
  return queueOf(inner, narrower)
}

/** Returns false when the item does not wait. */
export function removeFrom<T>(queue: HolderQueue<T>, [name, ...narrower]: readonly string[], item: T): boolean {
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
