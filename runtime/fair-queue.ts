// Who runs next, decided fairly. A caller names the holders that it runs for, from the widest to the narrowest: a
// workspace, then a key. Each holder has a share of what runs and of what waits. Those that wait are served in turn, the
// widest holders among each other and the narrower ones within them: however much one of them has waiting, the next of
// another is never behind more than one of it.

/** How many run at a time, and how many may wait. */
type Share = { readonly running: number; readonly waiting: number }
/** Of all together, and of any one holder at each level. A narrow holder has one share in all wider ones. */
export type Shares = { readonly all: Share; readonly each: readonly Share[] }

/** What came of one that asked: it may run at once, it waits, or there is no room left to wait. */
type Entry = 'runs' | 'waits' | 'full'

export type FairQueue<T> = {
  enter(holders: readonly string[], item: T): Entry
  /** To be asked after each release: the next whose turn it is and whose shares have room, until there is none. */
  next(): T | undefined
  /** Of one that ran. */
  release(holders: readonly string[]): void
  /** For one that waits no longer. False where it is not waiting. */
  remove(holders: readonly string[], item: T): boolean
  running(): number
  waiting(): number
}

/** `lanes` stand in the order of their turns. */
type Lane<T> = { readonly lanes: Map<string, Lane<T>>; readonly items: Set<T> }

export function fairQueue<T>({ all, each }: Shares): FairQueue<T> {
  const root = emptyLane<T>()
  const running = tally()
  const waiting = tally()
  const everybody = [all, ...each]

  const hasRoom = (count: Tally, kind: keyof Share, holders: readonly string[]): boolean =>
    everybody.every((share, level) => count.of(level, holders) < share[kind])

  /** Nobody is overtaken by one that runs at once: of those that wait, none may run. */
  function enter(holders: readonly string[], item: T): Entry {
    if (hasRoom(running, 'running', holders)) {
      running.add(holders, 1)
      return 'runs'
    }
    if (!hasRoom(waiting, 'waiting', holders)) return 'full'
    laneFor(root, holders).items.add(item)
    waiting.add(holders, 1)
    return 'waits'
  }

  function next(): T | undefined {
    if (running.of(0, []) >= all.running) return undefined
    const found = nextIn(root, [])
    if (found === undefined) return undefined
    waiting.add(found.holders, -1)
    running.add(found.holders, 1)
    return found.item
  }

  /** Those whose share is used up keep their place in the order. */
  function nextIn(lane: Lane<T>, holders: readonly string[]): { item: T; holders: readonly string[] } | undefined {
    for (const item of lane.items) {
      lane.items.delete(item)
      return { item, holders }
    }
    for (const [name, inner] of lane.lanes) {
      const named = [...holders, name]
      if (running.of(named.length, named) >= (everybody[named.length]?.running ?? Infinity)) continue
      const found = nextIn(inner, named)
      if (found === undefined) continue
      lane.lanes.delete(name)
      if (!isEmpty(inner)) lane.lanes.set(name, inner)
      return found
    }
    return undefined
  }

  function remove(holders: readonly string[], item: T): boolean {
    if (!removeFrom(root, holders, item)) return false
    waiting.add(holders, -1)
    return true
  }

  return {
    ...{ enter, next, remove },
    release: (holders) => running.add(holders, -1),
    running: () => running.of(0, []),
    waiting: () => waiting.of(0, []),
  }
}

const emptyLane = <T>(): Lane<T> => ({ lanes: new Map(), items: new Set() })
const isEmpty = ({ lanes, items }: Lane<unknown>): boolean => lanes.size === 0 && items.size === 0

function laneFor<T>(lane: Lane<T>, [name, ...narrower]: readonly string[]): Lane<T> {
  if (name === undefined) return lane
  const inner = lane.lanes.get(name) ?? emptyLane<T>()
  lane.lanes.set(name, inner)
  return laneFor(inner, narrower)
}

function removeFrom<T>(lane: Lane<T>, [name, ...narrower]: readonly string[], item: T): boolean {
  if (name === undefined) return lane.items.delete(item)
  const inner = lane.lanes.get(name)
  if (inner === undefined || !removeFrom(inner, narrower, item)) return false
  if (isEmpty(inner)) lane.lanes.delete(name)
  return true
}

type Tally = {
  /** Level 0 is everybody; above it, of the holder at that level. */
  of(level: number, holders: readonly string[]): number
  add(holders: readonly string[], change: 1 | -1): void
}

/** Counts at every level; a holder with nothing is forgotten. */
function tally(): Tally {
  const counts = new Map<string, number>()
  const nameAt = (level: number, holders: readonly string[]): string => `${level} ${holders[level - 1] ?? ''}`
  const change = (name: string, by: number): void => {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return {
    of: (level, holders) => counts.get(nameAt(level, holders)) ?? 0,
    add: (holders, by) =>
      [0, ...holders.keys().map((at) => at + 1)].forEach((level) => change(nameAt(level, holders), by)),
  }
}
