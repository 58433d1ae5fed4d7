// Fetches what has come due, as much as there are places for, and sleeps until the next is. Retries, replays, released
// pauses and what a dead dispatcher had leased all come this way.
// It goes round the webhooks, a span of them at a time, and rests between spans in proportion to what the last one cost.
// A webhook whose places have become free does not wait for its turn: its own rows are asked for at once.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import type { Lanes } from './scheduler.ts'
import { giveBack } from './leases.ts'
import { claimOf, claimSpan, type Claim } from './claim-due.ts'
import { spanMax, type Capacity } from './claim-statement.ts'
import { afterSpan, firstSpan, sleepMaxMs } from './claim-pacing.ts'

export type Claiming = {
  readonly db: Database
  readonly owner: string
  readonly mayJudge: () => boolean
  readonly lanes: Lanes
  readonly onError: (error: unknown) => void
}
export type Claimer = {
  /** Half of this webhook's places are free again, and there was more for it. */
  fetch(webhookId: string): void
  close(): Promise<void>
}

const batchMax = 200

export function openClaimer({ db, owner, mayJudge, lanes, onError }: Claiming): Claimer {
  const wanted = new Set<string>()
  let round = firstSpan
  let nextSpanAt = 0

  async function turn(): Promise<number> {
    const capacity = lanes.capacity()
    if (capacity.free === 0) {
      nextSpanAt = 0
      return sleepMaxMs
    }
    if (performance.now() < nextSpanAt) await takeWanted(capacity)
    else await takeSpan(capacity)
    return wanted.size > 0 ? 0 : Math.max(0, nextSpanAt - performance.now())
  }

  async function takeWanted(capacity: Capacity): Promise<void> {
    const webhookIds = [...wanted].slice(0, spanMax)
    webhookIds.forEach((id) => wanted.delete(id))
    if (webhookIds.length === 0) return
    const asked = { ...capacity, free: Math.min(capacity.free, batchMax) }
    await accept(await claimOf(db, { owner, judging: mayJudge() }, asked, webhookIds), asked)
  }

  async function takeSpan(capacity: Capacity): Promise<void> {
    const startedAt = performance.now()
    const asked = { ...capacity, free: Math.min(capacity.free, batchMax) }
    const claim = await claimSpan(db, { owner, judging: mayJudge() }, asked, round.after)
    await accept(claim, asked)
    const tookMs = performance.now() - startedAt
    const { length: claimed } = claim.claimed
    const { pauseMs, next } = afterSpan(round, {
      ...claim,
      tookMs,
      more: claimed === asked.free,
      full: claimed === batchMax,
    })
    round = next
    nextSpanAt = performance.now() + pauseMs
  }

  async function accept({ claimed }: Claim, { perWebhook, fewer }: Capacity): Promise<void> {
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    const cutOff = [...byWebhook].filter(([id, rows]) => rows.length >= (fewer.get(id) ?? perWebhook)).map(([id]) => id)
    await giveBack(db, owner, lanes.offer(claimed, cutOff))
  }

  const turns = loop(turn, onError)
  const fetch = (webhookId: string) => {
    wanted.add(webhookId)
    turns.wake()
  }
  return { fetch, close: turns.close }
}
