// Fans out the events that no notification came for: the broker was away, or a dispatcher died with the message. It
// does the same as the consumer, only later; which of the two does it makes no difference.
import { loop, type Loop } from '#runtime/loop.ts'
import { waitingOlderThan, type WaitingEvents } from './rows.ts'

const everyMs = 1_000
const batchMax = 100
/** An event this old would have had its notification. */
const staleMs = 1_000
/** While notifications come, younger events are left to them: one that only lags behind is not lost. */
const staleMsWhileNotified = 5_000
/** A frozen broker still looks connected: only its silence tells. */
const silenceMs = 1_000

export type Notifications = { isConnected(): boolean; idleMs(): number }

/** `fanOut` resolves with the number of events that were waiting. */
export function openSweeper(
  fanOut: (waiting: WaitingEvents) => Promise<{ readonly found: number }>,
  notifications: Notifications,
  onError: (error: unknown) => void,
): Loop {
  let foundSome = true
  return loop(async () => {
    const { found } = await fanOut(waitingOlderThan(staleAfterMs(notifications, foundSome), batchMax))
    foundSome = found > 0
    return found === batchMax ? 0 : everyMs
  }, onError)
}

/** When the last sweep has found some, more notifications may be lost, however many come. */
export function staleAfterMs({ isConnected, idleMs }: Notifications, foundSome: boolean): number {
  const flowing = isConnected() && idleMs() < silenceMs
  return flowing && !foundSome ? staleMsWhileNotified : staleMs
}
