// Lets what is under way go first while this process has more to do than it can.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

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
