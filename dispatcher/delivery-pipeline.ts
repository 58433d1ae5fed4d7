// The way of a delivery once it is queued: scheduler, attempt, result, rows.
import type { Database } from '#prisma/client.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import type { Keyring } from '#runtime/keyring.ts'
import type { Log } from '#runtime/log.ts'
import { waitAtMost } from '#runtime/timeouts.ts'
import type { Tracing } from '#runtime/tracing/tracing.ts'
import { deliverer, type AttemptResult, type AttemptSettings } from './attempt/deliver.ts'
import { requestSettings } from './attempt/build-request.ts'
import { expirer, postponer } from './queue/postpone-and-expire.ts'
import { deliveryLoader, type DeliveryLoader } from './queue/load-delivery.ts'
import { hostLimits } from './attempt/host-limits.ts'
import type { EgressProxy } from './attempt/egress-proxy.ts'
import { openSender, sendTimeoutMs } from './attempt/send.ts'
import { openInspector } from './inspector/inspector.ts'
import { recordInterrupted, leaseSeconds, releaseLeases } from './queue/leases.ts'
import type { DeliveryKey } from './queue/rows.ts'
import type { OrderingKey } from './queue/ordering-rows.ts'
import { openScheduler, type Scheduler } from './queue/scheduler.ts'
import type { QueueLimits } from './queue/webhook-queues.ts'
import { writeResultRows } from './results/rows.ts'
import { resultWriter } from './results/result-writer.ts'
import { webhookActivity } from './results/webhook-activity.ts'

export type DeliveryOptions = {
  readonly db: Database
  readonly brand: string
  /** Opens what the service sealed: signing secrets and custom headers. */
  readonly keyring: Pick<Keyring, 'open'>
  /** Private addresses that webhooks may be sent to. */
  readonly allowed: readonly AddressRange[]
  readonly allowHttp: boolean
  /** Whether this process listens on this port: no webhook may lead there. */
  readonly isOwnPort: (port: number) => boolean
  /** The proxy that webhooks are sent through. Null: none. */
  readonly egressProxy: EgressProxy | null
  /** How many requests a second one workspace may send to one host. */
  readonly hostRequestsPerSecond: number
  readonly scheduleSeconds: readonly number[]
  readonly log: Log
  readonly sendTimeoutMs?: number
  /** The least delay after a sign that a receiver has too much to do. */
  readonly relievingDelayMs?: number
  readonly now?: () => Date
  readonly limits?: QueueLimits
  /** Null, or left out: no spans are recorded. */
  readonly tracing?: Tracing | null
}
type PipelineEvents = {
  /** A webhook that had to leave deliveries in the database has capacity again. */
  readonly capacity: (webhookId: string) => void
  readonly writeError: (error: unknown) => void
  readonly attempt: (result: AttemptResult) => void
  /** Results that did not count, since the lease was lost. */
  readonly leasesLost: (count: number) => void
  /** Deliveries with these keys have ended. */
  readonly orderingKeysChanged: (keys: readonly OrderingKey[]) => void
}
export type DeliveryPipeline = {
  readonly scheduler: Scheduler
  readonly withLoaded: DeliveryLoader['withLoaded']
  /** How many results are still to be written. */
  unwritten(): number
  /** Cuts off what is still being sent, and writes down all that has come of the others, for at most so long. */
  close(writeWithinMs: number): Promise<void>
}

/** An attempt and the writing of its result take no longer than its lease is for. */
const writeWaitMs = 5_000

export function openDeliveryPipeline(options: DeliveryOptions, owner: string, on: PipelineEvents): DeliveryPipeline {
  const { db, log, brand, keyring, scheduleSeconds } = options
  const { sendTimeoutMs: timeoutMs = sendTimeoutMs, tracing = null } = options
  const attemptMs = timeoutMs + writeWaitMs
  if (attemptMs >= leaseSeconds * 1_000) throw new Error(`sendTimeoutMs ${timeoutMs} leaves no time within a lease`)
  const sender = openSenders(options, timeoutMs)
  const activity = webhookActivity(db, on.writeError)
  const results = resultWriter({
    writeRows: async (batch) => {
      const { accepted, open } = await writeResultRows(db, owner, batch)
      activity.count(batch)
      on.leasesLost(batch.length - accepted)
      on.orderingKeysChanged(orderingKeysOf(batch))
      await releaseLeases(db, owner, scheduler.withdraw(open)).catch(on.writeError)
    },
    onWritten: () => scheduler.dispatch(),
    onError: on.writeError,
  })
  const settings: AttemptSettings = {
    ...requestSettings(brand, keyring.open),
    scheduleSeconds,
    send: sender.send,
    now: options.now ?? (() => new Date()),
    random: Math.random,
    ...(options.relievingDelayMs !== undefined && { relievingDelayMs: options.relievingDelayMs }),
  }
  const record = (result: AttemptResult): Promise<void> => {
    on.attempt(result)
    return results.write(result)
  }
  const { load, withLoaded } = deliveryLoader(db, owner)
  const closing = new AbortController()
  const interrupted: DeliveryKey[] = []
  const run = deliverer({
    db,
    owner,
    log,
    tracing,
    settings,
    record,
    bounds: { attemptMs, closing: closing.signal },
    load,
    postpone: postponer(db, owner, log),
    expire: expirer(db, owner),
    hosts: hostLimits({ db, perSecond: options.hostRequestsPerSecond, onError: on.writeError }),
    interrupted: (delivery) => void interrupted.push(delivery),
  })
  const scheduler = openScheduler({ run, mayStart: results.hasCapacity, onCapacity: on.capacity }, options.limits)

  async function close(writeWithinMs: number): Promise<void> {
    closing.abort()
    await sender.close()
    await results.close(writeWithinMs)
    await waitAtMost(writeWithinMs, scheduler.idle())
    await waitAtMost(writeWithinMs, recordInterrupted(db, owner, interrupted)).catch(on.writeError)
    await activity.close()
  }
  return { scheduler, withLoaded, unwritten: results.size, close }
}

/** To receivers, and to the inspector. */
function openSenders(
  { db, log, brand, keyring, allowed, allowHttp, isOwnPort, egressProxy: proxy, now }: DeliveryOptions,
  timeoutMs: number,
): { readonly send: AttemptSettings['send']; close(): Promise<unknown> } {
  const inspector = openInspector({ db, brand, keyring, timeoutMs, log, ...(now && { now }) })
  const isAnyOwnPort = (port: number) => isOwnPort(port) || inspector.isOwnPort(port)
  const sender = openSender({ allowed, allowHttp, isOwnPort: isAnyOwnPort, proxy, timeoutMs })
  return {
    send: (delivery, ...request) =>
      delivery.isInspected ? inspector.inspect(delivery, ...request) : sender.send(delivery.url, ...request),
    close: () => Promise.all([sender.close(), inspector.close()]),
  }
}

const orderingKeysOf = (results: readonly AttemptResult[]): OrderingKey[] =>
  results.flatMap(({ delivery: { webhookId, orderingKey: key }, outcome }) =>
    key === null || outcome.kind === 'retry' ? [] : [{ webhookId, key }],
  )
