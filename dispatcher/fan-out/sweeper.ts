// Finds the events that no notice came for: published into a broker that was away, or taken by a dispatcher that died. It
// does the same as the consumer, only later; which of the two does it makes no difference.
import { loop, type Loop } from '#runtime/loop.ts'
import { takeStale, type Take } from './outbox-rows.ts'

const everyMs = 1_000
const batchMax = 100
/** Old enough that a notice would have come. */
const staleMs = 1_000
/** While notices come, younger events are theirs: one that only lags behind is not lost. */
const staleMsAmongNotices = 5_000
/** A broker that is frozen looks well: only its silence tells. */
const silenceMs = 1_000

export type Notices = { isConnected(): boolean; quietMs(): number }

/** `fanOut` gives the number of events. */
export function openSweeper(
  fanOut: (take: Take) => Promise<number>,
  notices: Notices,
  onError: (error: unknown) => void,
): Loop {
  let found = true
  return loop(async () => {
    const events = await fanOut(takeStale(staleAfterMs(notices, found), batchMax))
    found = events > 0
    return events === batchMax ? 0 : everyMs
  }, onError)
}

/** Where the last look has found some, more may be missing, however many notices come. */
export function staleAfterMs({ isConnected, quietMs }: Notices, found: boolean): number {
  const flowing = isConnected() && quietMs() < silenceMs
  return flowing && !found ? staleMsAmongNotices : staleMs
}
