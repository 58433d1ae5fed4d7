// Claims deliveries that have come due, as many as there is capacity for, and sleeps until the next one is due.
// Retries, replays, deliveries of resumed webhooks and those that a dead dispatcher had leased all come this way. The
// claimer goes round the webhooks, a span of them at a time, and pauses between spans in proportion to the cost of the
// last one. A webhook that has capacity again does not wait for its span: its rows are claimed at once.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import type { Scheduler, Capacity } from './scheduler.ts'
import { releaseLeases } from './leases.ts'
import { claimForWebhooks, claimSpan, type Claim, spanMax, beforeAllWebhooks } from './claim-rows.ts'

export type ClaimerOptions = {
  readonly db: Database
  readonly owner: string
  readonly mayTakeOver: () => boolean
  readonly scheduler: Scheduler
  readonly onClaimed: (count: number) => void
  readonly onError: (error: unknown) => void
}
export type Claimer = {
  /** Claims soon for this webhook, whose queue has capacity again. */
  claimFor(webhookId: string): void
  close(): Promise<void>
}

const batchMax = spanMax

export function openClaimer({ db, owner, mayTakeOver, scheduler, onClaimed, onError }: ClaimerOptions): Claimer {
  const requested = new Set<string>()
  let round = firstSpan
  let nextSpanAt = 0

  async function claimOnce(): Promise<number> {
    if (scheduler.capacity([]).free === 0) {
      nextSpanAt = 0
      return sleepMaxMs
    }
    if (performance.now() < nextSpanAt) await claimRequested()
    else await claimNextSpan()
    return requested.size > 0 ? 0 : Math.max(0, nextSpanAt - performance.now())
  }

  async function claimRequested(): Promise<void> {
    const webhookIds = [...requested].slice(0, spanMax)
    webhookIds.forEach((id) => requested.delete(id))
    if (webhookIds.length === 0) return
    const capacity = ofOneBatch(scheduler.capacity(webhookIds))
    await accept(await claimForWebhooks(db, { owner, takesOver: mayTakeOver() }, capacity, webhookIds), capacity)
  }

  async function claimNextSpan(): Promise<void> {
    const startedAt = performance.now()
    // A webhook with deliveries here has them in the database too: those of the span are among the first of these.
    const capacity = ofOneBatch(scheduler.capacity(scheduler.webhooksAfter(round.after, spanMax)))
    const claim = await claimSpan(db, { owner, takesOver: mayTakeOver() }, capacity, round.after)
    await accept(claim, capacity)
    const tookMs = performance.now() - startedAt
    const { length: claimed } = claim.claimed
    const { pauseMs, next } = afterSpan(round, {
      ...claim,
      tookMs,
      more: claimed === capacity.free,
      full: claimed === batchMax,
    })
    round = next
    nextSpanAt = performance.now() + pauseMs
  }

  async function accept({ claimed, share }: Claim, { perWebhook, known }: Capacity): Promise<void> {
    onClaimed(claimed.length)
    const most = (webhookId: string) => Math.min(known.get(webhookId) ?? perWebhook, share ?? 0)
    const byWebhook = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    const cutOff = [...byWebhook].filter(([id, rows]) => rows.length >= most(id)).map(([id]) => id)
    await releaseLeases(db, owner, scheduler.enqueue(claimed, cutOff))
  }

  const claims = loop(claimOnce, onError)
  const claimFor = (webhookId: string) => {
    requested.add(webhookId)
    claims.wake()
  }
  return { claimFor, close: claims.close }
}

const ofOneBatch = (capacity: Capacity): Capacity => ({ ...capacity, free: Math.min(capacity.free, batchMax) })

/** When the claimer claims again, and from which webhook on. */
export type Round = {
  /** The id of the webhook after which the next span begins. */
  readonly after: string
  /** The time from the end of the last span until the next row comes due, over all spans of this round. */
  readonly nextDueMs: number
  /** Whether rows were due that were not taken. */
  readonly more: boolean
}
export type Span = {
  readonly upTo: string | null
  readonly nextDueMs: number | null
  readonly tookMs: number
  /** Whether as many rows were taken as were asked for, so that there may be more. */
  readonly more: boolean
  /** Whether a full batch was taken, so that the next claim follows at once. */
  readonly full: boolean
}

export const firstSpan: Round = { after: beforeAllWebhooks, nextDueMs: Infinity, more: false }
const sleepMaxMs = 1_000
/** Claiming takes at most a tenth of the time, however many webhooks there are and however slow the database is. */
const pausePerWork = 9

export function afterSpan(round: Round, { upTo, nextDueMs, tookMs, ...span }: Span): { pauseMs: number; next: Round } {
  const breakMs = span.full ? 0 : Math.min(tookMs * pausePerWork, sleepMaxMs)
  const soonestMs = Math.min(round.nextDueMs - tookMs, nextDueMs ?? Infinity)
  const more = round.more || span.more
  if (upTo !== null) return { pauseMs: breakMs, next: { after: upTo, nextDueMs: soonestMs - breakMs, more } }
  const waitMs = more ? 0 : Math.min(Math.max(0, soonestMs), sleepMaxMs)
  return { pauseMs: Math.max(breakMs, waitMs), next: firstSpan }
}
