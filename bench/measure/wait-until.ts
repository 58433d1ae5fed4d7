// Waiting for something outside this process, within a bound.
import { setTimeout as after } from 'node:timers/promises'

const lookEveryMs = 20

/** The first answer that is not null; what `look` throws counts as none. */
export async function until<T>(what: string, withinMs: number, look: () => Promise<T | null> | T | null): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await Promise.resolve()
      .then(look)
      .catch(() => null)
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain for ${what}`)
    await after(lookEveryMs)
  }
}
