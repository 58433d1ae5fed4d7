// A queue with a lane for each key, served in turn: however much one key has waiting, the next of another is never
// behind more than one of it. Bounded as a whole and by key; so is what each key has out at a time.

export type Bounds = { readonly waiting: number; readonly waitingPerKey: number; readonly outPerKey: number }

export type FairQueue<T> = {
  /** How many more would find a place, of all keys and of this one. */
  free(): number
  room(key: string): number
  /** Of the keys that have something waiting. */
  rooms(): Map<string, number>
  push(key: string, item: T): void
  /** The next whose turn it is and whose key has not too many out already. It is out until its key is given back. */
  take(): T | undefined
  back(key: string): void
  clear(): T[]
}

type Lane<T> = { readonly waiting: T[]; out: number }

export function fairQueue<T>({ waiting: waitingMax, waitingPerKey, outPerKey }: Bounds): FairQueue<T> {
  const lanes = new Map<string, Lane<T>>()
  // Keys that could have one taken, in the order in which they may.
  const turns = new Set<string>()
  let size = 0

  const free = () => waitingMax - size
  const room = (key: string) => Math.min(free(), waitingPerKey - (lanes.get(key)?.waiting.length ?? 0))

  function queueUp(key: string, lane: Lane<T>): void {
    if (lane.waiting.length > 0 && lane.out < outPerKey) turns.add(key)
  }

  function push(key: string, item: T): void {
    const lane = lanes.get(key) ?? { waiting: [], out: 0 }
    lanes.set(key, lane)
    lane.waiting.push(item)
    size++
    queueUp(key, lane)
  }

  function take(): T | undefined {
    const [key = ''] = turns
    const lane = lanes.get(key)
    if (lane === undefined) return undefined
    turns.delete(key)
    size--
    lane.out++
    const item = lane.waiting.shift()
    queueUp(key, lane)
    return item
  }

  function back(key: string): void {
    const lane = lanes.get(key)
    if (lane === undefined) return
    lane.out--
    if (lane.out === 0 && lane.waiting.length === 0) lanes.delete(key)
    else queueUp(key, lane)
  }

  function clear(): T[] {
    turns.clear()
    size = 0
    return [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
  }

  function rooms(): Map<string, number> {
    const waiting = [...lanes].filter(([, lane]) => lane.waiting.length > 0)
    return new Map(waiting.map(([key]) => [key, room(key)]))
  }

  return { free, room, rooms, push, take, back, clear }
}
