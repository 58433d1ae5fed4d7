// Waits for a condition by checking it again and again, for a bounded time.
const lookEveryMs = 10
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
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== null && seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`Not seen within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
