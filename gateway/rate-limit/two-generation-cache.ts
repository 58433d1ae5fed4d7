// A map that keeps what was used lately, within a bound: two halves, and the older one is dropped when the newer is full.
// Nothing is reordered on a look-up, and nothing is allocated ahead, so that a million names cost a call no more than a
// thousand.

export type RecentMap<T> = { get(name: string): T | undefined; set(name: string, value: T): void }

/** Keeps the last `max / 2` that were used, and at most `max`. */
export function recentMap<T>(max: number): RecentMap<T> {
  let newer = new Map<string, T>()
  let older = new Map<string, T>()

  function set(name: string, value: T): void {
    if (newer.size >= max / 2) {
      older = newer
      newer = new Map()
    }
    newer.set(name, value)
  }
  function get(name: string): T | undefined {
    const recent = newer.get(name)
    if (recent !== undefined) return recent
    const found = older.get(name)
    if (found !== undefined) {
      older.delete(name)
      set(name, found)
    }
    return found
  }
  return { get, set }
}
