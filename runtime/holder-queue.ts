// The items that wait, as a tree of holders that is served round robin (runtime/fair-queue.ts).

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
