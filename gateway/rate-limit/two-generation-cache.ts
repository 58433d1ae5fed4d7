// A two-generation cache: it keeps what was used lately, within a bound, in two maps. When the younger is full, the
// older is dropped. Nothing is reordered on a look-up, and nothing is allocated ahead, so a million names cost a call
// no more than a thousand.

export type TwoGenerationCache<T> = { get(name: string): T | undefined; set(name: string, value: T): void }

/** Keeps the last `max / 2` that were used, and at most `max`. */
export function twoGenerationCache<T>(max: number): TwoGenerationCache<T> {
  let young = new Map<string, T>()
  let old = new Map<string, T>()

  function set(name: string, value: T): void {
    if (young.size >= max / 2) {
      old = young
      young = new Map()
    }
    young.set(name, value)
  }
  function get(name: string): T | undefined {
    const recent = young.get(name)
    if (recent !== undefined) return recent
    const found = old.get(name)
    if (found !== undefined) {
      old.delete(name)
      set(name, found)
    }
    return found
  }
  return { get, set }
}
