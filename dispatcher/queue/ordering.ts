// Strict order. Deliveries of an ordered webhook share an ordering key: the webhook's id, or the id of the object that
// the event is about (column `order_key`). Within a key they follow each other by the number of their event (column
// `place`). They wait without a time of their next attempt, so claims never read them. The first of a key becomes its
// head: it gets that time, and stays the head over retries, crashes and pauses until it is delivered, dead-lettered or
// cancelled.
//
// A delivery becomes the head when its key has none, and no earlier event of the workspace waits in the outbox. Events
// of a workspace are committed in the order of their numbers, and an outbox row goes in the transaction that brings its
// deliveries: an earlier event that is in neither place does not exist. One dispatcher at a time advances heads, under
// an advisory lock: at once where a delivery was fanned out or has ended, and once a second in all keys, for what else
// frees a key (replays, webhooks that are enabled, dispatchers that are gone).
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { advanceHeads, advanceHeadsAfter, keysMax, noKey, type Advance, type OrderingKey } from './ordering-rows.ts'

export type OrderingLoop = {
  /** A delivery with one of these keys was added, or has ended. */
  changed(keys: readonly OrderingKey[]): void
  close(): Promise<void>
}

const roundMs = 1_000
/** An earlier event that is still to be fanned out is in the hands of another dispatcher, as a rule. */
const earlyMs = 20
/** Going round takes at most a tenth of the time, however many keys there are. */
const restPerWork = 9
/** Changed keys beyond these are found on the next round. */
const changedMax = 10_000

export function startOrdering(
  db: Database,
  onHead: (webhookId: string) => void,
  onError: (error: unknown) => void,
): OrderingLoop {
  const changedKeys = new Map<string, OrderingKey>()
  let [after, nextRoundAt] = [noKey, 0]

  function add(keys: readonly OrderingKey[]): void {
    for (const each of keys) if (changedKeys.size < changedMax) changedKeys.set(`${each.webhookId}:${each.key}`, each)
  }

  async function advanceOnce(): Promise<number> {
    const advanced = performance.now() < nextRoundAt ? await advanceChanged() : await goRound()
    advanced.webhookIds.forEach(onHead)
    const isOnlyEarly = changedKeys.size === 0 && advanced.early.length > 0
    add(advanced.early)
    if (changedKeys.size > 0) return isOnlyEarly ? earlyMs : 0
    return Math.max(0, nextRoundAt - performance.now())
  }

  function advanceChanged(): Promise<Advance> {
    const batch = [...changedKeys].slice(0, keysMax)
    batch.forEach(([name]) => changedKeys.delete(name))
    return advanceHeads(
      db,
      batch.map(([, key]) => key),
    )
  }

  async function goRound(): Promise<Advance> {
    const startedAt = performance.now()
    const advanced = await advanceHeadsAfter(db, after)
    const now = performance.now()
    const isOver = advanced.last === null || advanced.looked < keysMax
    after = isOver ? noKey : (advanced.last ?? noKey)
    nextRoundAt = now + (isOver ? roundMs : (now - startedAt) * restPerWork)
    return advanced
  }

  const advances = loop(advanceOnce, onError)
  function changed(keys: readonly OrderingKey[]): void {
    if (keys.length === 0) return
    add(keys)
    advances.wake()
  }
  return { changed, close: advances.close }
}
