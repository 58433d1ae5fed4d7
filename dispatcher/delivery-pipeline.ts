// What a delivery goes through once it is queued: scheduler, attempt, result, rows.
import type { KeyObject } from 'node:crypto'
import type { Database } from '#prisma/client.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import type { Log } from '#runtime/log.ts'
import { deliverer, type AttemptResult, type AttemptSettings } from './attempt/deliver.ts'
import { deliveryLoader } from './attempt/load-delivery.ts'
import { postponer } from './attempt/postpone.ts'
import { openSender, sendTimeoutMs } from './attempt/send.ts'
import { releaseLeases } from './queue/leases.ts'
import { openScheduler, type Scheduler } from './queue/scheduler.ts'
import { writeResultRows } from './results/result-rows.ts'
import { resultWriter } from './results/result-writer.ts'

export type DeliveryOptions = {
  readonly db: Database
  readonly brand: string
  /** Opens what the service sealed: signing secrets and custom headers. */
  readonly secretsKey: KeyObject
  /** Private addresses that webhooks may be sent to. */
  readonly allowed: readonly AddressRange[]
  readonly allowHttp: boolean
  readonly scheduleSeconds: readonly number[]
  readonly log: Log
  readonly sendTimeoutMs?: number
  readonly now?: () => Date
}
type On = {
  /** A webhook that had to leave deliveries in the database has capacity again. */
  readonly capacity: (webhookId: string) => void
  readonly writeError: (error: unknown) => void
  readonly attempt: (result: AttemptResult) => void
  /** Results that did not count, since the lease was lost. */
  readonly leasesLost: (count: number) => void
}
export type DeliveryPipeline = {
  readonly scheduler: Scheduler
  /** How many results are still to be written. */
  unwritten(): number
  /** Writes the results that are left. Called when the scheduler is idle. */
  close(): Promise<void>
}

const writeWaitMs = 5_000

export function openDeliveryPipeline(options: DeliveryOptions, owner: string, on: On): DeliveryPipeline {
  const { db, log, brand, secretsKey, allowed, allowHttp, scheduleSeconds } = options
  const timeoutMs = options.sendTimeoutMs ?? sendTimeoutMs
  const sender = openSender({ allowed, allowHttp, timeoutMs })
  const results = resultWriter({
    writeRows: async (batch) => {
      const { accepted, open } = await writeResultRows(db, owner, batch)
      on.leasesLost(batch.length - accepted)
      await releaseLeases(db, owner, scheduler.withdraw(open)).catch(on.writeError)
    },
    onWritten: () => scheduler.dispatch(),
    onError: on.writeError,
  })
  const settings: AttemptSettings = {
    ...{ brand, secretsKey, scheduleSeconds, send: sender.send },
    ...{ now: options.now ?? (() => new Date()), random: Math.random },
  }
  const record = (result: AttemptResult): Promise<void> => {
    on.attempt(result)
    return results.write(result)
  }
  const run = deliverer({
    ...{ db, owner, log, settings, attemptMs: timeoutMs + writeWaitMs },
    ...{ load: deliveryLoader(db, owner), postpone: postponer(db, owner, log), record },
  })
  const scheduler = openScheduler({ run, mayStart: results.hasCapacity, onCapacity: on.capacity })

  async function close(): Promise<void> {
    await results.close(writeWaitMs)
    await sender.close()
  }
  return { scheduler, unwritten: results.size, close }
}
