// Decides fairly what runs next. An item is entered for its holders, from the widest to the narrowest: a workspace, then
// a key. Each holder has a share of what runs and of what waits. Holders are served round robin, the widest among each
// other and the narrower ones within them: however much one of them has waiting, the next item of another is behind at
// most one of it.
import { emptyQueue, queueOf, removeFrom, takeNext } from './holder-queue.ts'

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
