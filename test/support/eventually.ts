// Waiting for what must come, by looking until it is there; never longer than the bound.
const lookEveryMs = 10
const withinDefaultMs = 15_000

/** The first value that is not null, undefined or false. */
export async function eventually<T>(
  look: () => T | Promise<T>,
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
