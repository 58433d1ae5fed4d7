// Finds the events that no notice came for: published into a broker that was away, or taken by a dispatcher that died. It
// does the same as the consumer, only later; which of the two does it makes no difference.
import { loop, type Loop } from '#runtime/loop.ts'
import { takeStale, type Take } from './markers.ts'

const everyMs = 1_000
const batchMax = 100
const staleMs = 30_000
const staleMsWithoutBroker = 1_000

/** `fanOut` gives the number of events. The first sweep does not wait for the broker to say anything. */
export function openSweeper(
  fanOut: (take: Take) => Promise<number>,
  isConnected: () => boolean,
  onError: (error: unknown) => void,
): Loop {
  let first = true
  return loop(async () => {
    const olderThanMs = first || !isConnected() ? staleMsWithoutBroker : staleMs
    const events = await fanOut(takeStale(olderThanMs, batchMax))
    if (events === batchMax) return 0
    first = false
    return everyMs
  }, onError)
}
