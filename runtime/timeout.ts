// Bounds on how long somebody waits for work. The work itself goes on.

/** Rejects with `message` when the work takes longer. */
export async function withTimeout<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(message)), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Resolves when the work is done, or after `ms`. Rejects when the work does before. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
