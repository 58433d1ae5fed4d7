// What happens to a delivery whose turn it is. Never rejects: a delivery that goes wrong here keeps its row, its lease
// runs out, and somebody takes it up again.
import type { Database } from '#prisma/client.ts'
import type { Log } from '#runtime/log.ts'
import { attempt, type Attempting, type Result } from './attempt.ts'
import { releaseLeases, type LeasedDelivery } from '../queue/leases.ts'
import { prepare, type Preparing } from './prepare.ts'
import type { PutOff } from './postpone.ts'
import type { Recorder } from '../results/result-writer.ts'
import type { Load, Task } from './load-delivery.ts'

export type Delivering = {
  readonly db: Database
  readonly owner: string
  readonly load: Load
  readonly attempting: Attempting & Preparing
  readonly putOff: PutOff
  readonly record: Recorder['record']
  /** An attempt and the writing of its result take at most so long; a lease that is shorter is not started on. */
  readonly attemptMs: number
  readonly loadGoodMs?: number
  readonly log: Log
}

/** Shorter than the time for which nobody takes away what was loaded. */
const loadGoodMsDefault = 3_000

export const deliverer =
  ({ db, owner, load, attempting, putOff, record, attemptMs, loadGoodMs = loadGoodMsDefault, log }: Delivering) =>
  async (item: LeasedDelivery, releaseSlot: () => void): Promise<void> => {
    try {
      const task = item.leaseEndsAt - performance.now() > attemptMs ? await loadInTime(load, item, loadGoodMs) : null
      if (task === null) return await releaseLeases(db, owner, [item])
      const prepared = prepare(task, attempting)
      if (prepared.kind === 'unsignable') return await putOff(item, prepared)
      const result = await attempt(prepared, attempting)
      releaseSlot()
      logAttempt(log, result)
      await record(result)
    } catch (err) {
      log.error({ err, deliveryId: item.id, webhookId: item.webhookId }, 'delivery left for later')
    }
  }

/** A process that was frozen while it loaded asks again: somebody else may be at work on the delivery by now. */
async function loadInTime(load: Load, item: LeasedDelivery, goodMs: number): Promise<Task | null> {
  const askedAt = performance.now()
  const task = await load(item)
  return task === null || performance.now() - askedAt < goodMs ? task : load(item)
}

function logAttempt(log: Log, { task, trigger, durationMs, answer, errorCode, outcome }: Result): void {
  log.info(
    {
      workspaceId: task.workspaceId,
      webhookId: task.webhookId,
      deliveryId: task.id,
      eventType: task.eventType,
      attempt: task.attemptCount + 1,
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
