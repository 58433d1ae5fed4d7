// One attempt at a delivery, from its lease to its result: load, sign, send, judge, record. Never rejects: a delivery that
// goes wrong here keeps its row, its lease expires, and a dispatcher claims it again.
import type { Database } from '#prisma/client.ts'
import type { Log } from '#runtime/log.ts'
import { releaseLeases, type LeasedDelivery } from '../queue/leases.ts'
import type { ReleaseSlot } from '../queue/scheduler.ts'
import { buildRequest, type Request, type RequestSettings } from './build-request.ts'
import { answerErrorCode, judgeAnswer, verdictOn, type Outcome } from './judge-answer.ts'
import type { LoadDelivery, LoadedDelivery } from './load-delivery.ts'
import type { Postpone } from './postpone.ts'
import { delayAfter } from './retry-schedule.ts'
import type { Answer, Send } from './send.ts'

export type AttemptResult = {
  readonly delivery: LoadedDelivery
  readonly trigger: 'automatic' | 'manual'
  readonly startedAt: Date
  readonly durationMs: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly answer: Answer
  readonly errorCode: string | null
  readonly outcome: Outcome
}

export type AttemptSettings = RequestSettings & {
  readonly send: Send
  readonly scheduleSeconds: readonly number[]
  readonly now: () => Date
  /** From 0 up to 1, without 1. */
  readonly random: () => number
}
export type DelivererOptions = {
  readonly db: Database
  readonly owner: string
  readonly load: LoadDelivery
  readonly settings: AttemptSettings
  readonly postpone: Postpone
  /** Resolves when the result is written. */
  readonly record: (result: AttemptResult) => Promise<void>
  /** An attempt and the writing of its result take at most so long. No attempt is begun on a shorter lease. */
  readonly attemptMs: number
  readonly loadGoodMs?: number
  readonly log: Log
}

/** Shorter than the time for which nobody takes over a delivery that was just loaded. */
const loadGoodMsDefault = 3_000

/** `releaseSlot` is called as soon as the receiver has answered. */
export const deliverer =
  ({ db, owner, load, settings, postpone, record, attemptMs, loadGoodMs = loadGoodMsDefault, log }: DelivererOptions) =>
  async (leased: LeasedDelivery, releaseSlot: ReleaseSlot): Promise<void> => {
    try {
      const hasTime = leased.leaseEndsAt - performance.now() > attemptMs
      const delivery = hasTime ? await loadInTime(load, leased, loadGoodMs) : null
      if (delivery === null) return await releaseLeases(db, owner, [leased])
      const startedAt = settings.now()
      const built = buildRequest(delivery, settings, startedAt)
      if (built.kind === 'unsignable') return await postpone(leased, built)
      const result = await attempt(delivery, built.request, startedAt, settings)
      releaseSlot(verdictOn(result.answer))
      logAttempt(log, result)
      await record(result)
    } catch (err) {
      log.error({ err, deliveryId: leased.id, webhookId: leased.webhookId }, 'delivery left for later')
    }
  }

/** A process that was frozen while it loaded loads again: another dispatcher may be at work on the delivery by now. */
async function loadInTime(load: LoadDelivery, key: LeasedDelivery, goodMs: number): Promise<LoadedDelivery | null> {
  const askedAt = performance.now()
  const delivery = await load(key)
  return delivery === null || performance.now() - askedAt < goodMs ? delivery : load(key)
}

async function attempt(
  delivery: LoadedDelivery,
  request: Request,
  startedAt: Date,
  { send, scheduleSeconds, now, random }: AttemptSettings,
): Promise<AttemptResult> {
  const startedMs = performance.now()
  const answer = await send(delivery.url, request.headers, request.body)
  const attempts = { made: delivery.attemptsSinceReplay + 1, max: delivery.maxAttempts }
  const delayMs = delayAfter(attempts.made, scheduleSeconds, random())
  return {
    delivery,
    trigger: delivery.origin === 'replay' && delivery.attemptsSinceReplay === 0 ? 'manual' : 'automatic',
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    requestHeaders: request.shown,
    answer,
    errorCode: answerErrorCode(answer),
    outcome: judgeAnswer(answer, attempts, delayMs, now()),
  }
}

function logAttempt(log: Log, { delivery, trigger, durationMs, answer, errorCode, outcome }: AttemptResult): void {
  log.info(
    {
      workspaceId: delivery.workspaceId,
      webhookId: delivery.webhookId,
      deliveryId: delivery.id,
      eventType: delivery.eventType,
      attempt: delivery.attemptCount + 1,
      trigger,
      durationMs,
      status: answer.kind === 'answered' ? answer.status : null,
      errorCode,
      outcome: outcome.kind,
      delayMs: outcome.kind === 'retry' ? outcome.delayMs : null,
    },
    'attempt',
  )
}
