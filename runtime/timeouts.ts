// Bounds on how long somebody waits for work. The work itself goes on.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

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

// Lets what is under way go first while this process has more to do than it can.

type EventLoop = { readonly nextTurn: () => Promise<unknown>; readonly now: () => number }

/** A turn of the event loop that takes less has not much to do. */
const busyMs = 3
const ownLoop: EventLoop = { nextTurn: () => turnOfTheLoop(), now: () => performance.now() }

/** Resolves after the first turn of the event loop that is short, or after so long. */
export async function yieldWhenBusy(withinMs: number, { nextTurn, now }: EventLoop = ownLoop): Promise<void> {
  const beganAt = now()
  let turnAt = beganAt
  do {
    const lastAt = turnAt
    await nextTurn()
    turnAt = now()
    if (turnAt - lastAt < busyMs) return
  } while (turnAt - beganAt < withinMs)
}
