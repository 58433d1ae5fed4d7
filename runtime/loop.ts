// Work that is done again and again, never twice at a time. Each turn says how long the next may wait; a turn that fails
// is reported, and the next waits longer, up to a bound.

export type Loop = { wake(): void; close(): Promise<void> }

const afterFailureMs = 250
const afterFailureMaxMs = 5_000

export function loop(turn: () => Promise<number>, onError: (error: unknown) => void): Loop {
  let awake = Promise.withResolvers<void>()
  let closed = false
  let failures = 0

  async function run(): Promise<void> {
    while (!closed) {
      awake = Promise.withResolvers<void>()
      await pause(await oneTurn())
    }
  }

  async function oneTurn(): Promise<number> {
    try {
      const waitMs = await turn()
      failures = 0
      return waitMs
    } catch (error) {
      onError(error)
      // What woke it during a failure is no reason to fail again at once.
      awake = Promise.withResolvers<void>()
      return Math.min(afterFailureMs * 2 ** failures++, afterFailureMaxMs)
    }
  }

  async function pause(ms: number): Promise<void> {
    if (closed) return
    const timer = setTimeout(() => awake.resolve(), ms)
    await awake.promise
    clearTimeout(timer)
  }

  const running = run()
  const wake = () => awake.resolve()
  const close = () => {
    closed = true
    wake()
    return running
  }
  return { wake, close }
}
