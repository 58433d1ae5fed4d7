// One attempt at a delivery, from its lease to its result: load, sign, send, judge, record. Never rejects: a delivery
// that goes wrong here keeps its row, its lease expires, and a dispatcher claims it again.
import type { ReceiverCommand } from '#contract/webhook-headers.ts'
import type { Database } from '#prisma/client.ts'
import type { Log } from '#runtime/log.ts'
import { fromStoredTrace, traceIdOf } from '#runtime/tracing/trace-context.ts'
import { tracedBy, type Tracing } from '#runtime/tracing/tracing.ts'
import { releaseLeases, type LeasedDelivery } from '../queue/leases.ts'
import type { DeliveryKey } from '../queue/rows.ts'
import type { ReleaseSlot } from '../queue/scheduler.ts'
import { buildRequest, type RequestSettings } from './build-request.ts'
import type { Expire, Postpone } from '../queue/postpone-and-expire.ts'
import {
  answerErrorCode,
  commandIn,
  judgeAnswer,
  verdictOn,
  type Outcome,
  delayAfter,
  relievingDelay,
} from './retry-decision.ts'
import { type LoadDelivery, loadInTime, type LoadBounds } from '../queue/load-delivery.ts'
import { type LoadedDelivery } from '../queue/delivery-rows.ts'
import { endAttemptSpan } from './attempt-span.ts'
import { heldReasons, type HostLimits } from './host-limits.ts'
import type { Answer, Send } from './send.ts'

/** Sends to the URL of the delivery. */
type SendDelivery = (
  delivery: LoadedDelivery,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
) => ReturnType<Send>

export type AttemptResult = {
  readonly delivery: LoadedDelivery
  /** Of the call that caused its event. */
  readonly traceId: string
  readonly trigger: 'automatic' | 'manual'
  readonly startedAt: Date
  readonly durationMs: number
  /** Those that are stored. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly answer: Answer
  readonly errorCode: string | null
  /** What the receiver has asked for. */
  readonly command: ReceiverCommand | null
  readonly outcome: Outcome
}

export type AttemptSettings = RequestSettings & {
  readonly send: SendDelivery
  readonly scheduleSeconds: readonly number[]
  /** In place of the least delay after a sign that the receiver has too much to do. */
  readonly relievingDelayMs?: number
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
  readonly expire: Expire
  /** Resolves when the result is written. */
  readonly record: (result: AttemptResult) => Promise<void>
  /** The attempt was cut off by the end of this process, and is no result. */
  readonly interrupted: (delivery: DeliveryKey) => void
  readonly bounds: LoadBounds
  readonly hosts: HostLimits
  /** Null: no spans are recorded. */
  readonly tracing: Tracing | null
  readonly log: Log
}

const noProxy = 'the egress proxy cannot be used'

/** `releaseSlot` is called as soon as the receiver has answered. */
export const deliverer =
  ({
    db,
    owner,
    load,
    settings,
    postpone,
    expire,
    record,
    interrupted,
    bounds,
    hosts,
    tracing,
    log,
  }: DelivererOptions) =>
  async (leased: LeasedDelivery, releaseSlot: ReleaseSlot): Promise<void> => {
    let traceId: string | undefined
    try {
      const delivery = await loadInTime(load, leased, bounds)
      if (delivery === null) return await releaseLeases(db, owner, [leased])
      const startedAt = settings.now()
      if (delivery.expiresAt !== null && startedAt > delivery.expiresAt) return await expire(leased)
      const held = await hosts.admit(delivery)
      if (held !== null) return await postpone(leased, { code: held, reason: heldReasons[held] })
      const { traceparent, span } = tracedBy(tracing, delivery.trace === null ? null : fromStoredTrace(delivery.trace))
      traceId = traceIdOf(traceparent)
      const built = buildRequest(delivery, settings, startedAt, traceparent)
      if (built.kind === 'unsignable') return await postpone(leased, { ...built, code: 'signing_failed' })
      const startedMs = performance.now()
      const answer = await settings.send(delivery, built.request.headers, built.request.body)
      if (span !== null) endAttemptSpan(span, delivery, answer)
      if (answer.kind === 'unsent') return await postpone(leased, { code: 'proxy_error', reason: noProxy, ...answer })
      const durationMs = Math.round(performance.now() - startedMs)
      const result = resultOf(
        { delivery, traceId, startedAt, durationMs, requestHeaders: built.request.stored, answer },
        settings,
      )
      if (result.errorCode === 'interrupted') return interrupted(delivery)
      releaseSlot(verdictOn(result.answer))
      if (result.outcome.kind === 'delivered') hosts.noteDelivered(delivery)
      logAttempt(log, result)
      await record(result)
    } catch (err) {
      log.error({ err, deliveryId: leased.id, webhookId: leased.webhookId, traceId }, 'delivery left for later')
    }
  }

function resultOf(
  made: Omit<AttemptResult, 'trigger' | 'errorCode' | 'command' | 'outcome'>,
  { brand, scheduleSeconds, relievingDelayMs, now, random }: AttemptSettings,
): AttemptResult {
  const { delivery, answer } = made
  const attempts = { made: delivery.attemptsSinceReplay + 1, max: delivery.maxAttempts }
  const command = commandIn(answer, brand)
  const chance = random()
  const plan = {
    delayMs: delayAfter(attempts.made, scheduleSeconds, chance),
    relievingDelayMs: relievingDelayMs ?? relievingDelay(chance),
    spread: chance,
    expiresAt: delivery.expiresAt,
    now: now(),
  }
  return {
    ...made,
    trigger: delivery.origin === 'replay' && delivery.attemptsSinceReplay === 0 ? 'manual' : 'automatic',
    errorCode: answerErrorCode(answer),
    command,
    outcome: judgeAnswer(answer, command, attempts, plan),
  }
}

function logAttempt(
  log: Log,
  { delivery, traceId, trigger, durationMs, answer, errorCode, command, outcome }: AttemptResult,
): void {
  // One line for each success would cost as much as its signatures; the ledger has them all.
  log[outcome.kind === 'delivered' ? 'debug' : 'info'](
    {
      workspaceId: delivery.workspaceId,
      webhookId: delivery.webhookId,
      deliveryId: delivery.id,
      eventType: delivery.eventType,
      traceId,
      attempt: delivery.attemptCount + 1,
      trigger,
      durationMs,
      status: answer.kind === 'answered' ? answer.status : null,
      errorCode,
      command,
      outcome: outcome.kind,
      delayMs: outcome.kind === 'retry' ? outcome.delayMs : null,
    },
    'attempt',
  )
}
