// Waits for a condition by checking it again and again, for a bounded time.
/** A look may be a call: what takes seconds is not asked for a hundred times in each. */
const lookEveryMs = (waitedMs: number): number => Math.min(Math.max(10, waitedMs / 20), 50)
const withinDefaultMs = 40_000

/**
 * Resolves with the first value that is not null, undefined or false. Throws after the bound. A number is no condition:
 * whether 0 of something means yes must be said.
 */
export async function eventually<T>(
  look: unknown extends T ? () => T | Promise<T> : [T] extends [number] ? never : () => T | Promise<T>,
  what: string,
  withinMs = withinDefaultMs,
): Promise<NonNullable<T>> {
  const began = Date.now()
  for (;;) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    const waitedMs = Date.now() - began
    if (waitedMs > withinMs) throw new Error(`Not seen within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs(waitedMs)))
  }
}
