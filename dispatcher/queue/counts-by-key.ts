// Counts that several add to, and each takes back what it has added. A key that counts nothing takes no memory.

export type CountsByKey = {
  of(key: string): number
  sum(): number
  adder(): {
    add(key: string): void
    /** Returns the keys that it had added to. The second time there are none. */
    takeBack(): string[]
  }
}

export function countsByKey(): CountsByKey {
  const counts = new Map<string, number>()
  let sum = 0

  function change(key: string, by: number): void {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
    sum += by
  }

  function adder() {
    const added = new Map<string, number>()
    function add(key: string): void {
      added.set(key, (added.get(key) ?? 0) + 1)
      change(key, 1)
    }
    function takeBack(): string[] {
      for (const [key, count] of added) change(key, -count)
      const keys = [...added.keys()]
      added.clear()
      return keys
    }
    return { add, takeBack }
  }
  return { of: (key) => counts.get(key) ?? 0, sum: () => sum, adder }
}
