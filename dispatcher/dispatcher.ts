// The dispatcher put together. Events come in through the broker or are found by the sweeper, and are fanned out to
// deliveries; fresh deliveries and those that have come due meet in the scheduler; from there on there is one way:
// attempt, result, row.
import { randomUUID } from 'node:crypto'
import type { Database } from '#prisma/client.ts'
import { countSealedValues, countsByKey, sumByState } from '#prisma/sealing-rows.ts'
import type { Consumer, ReceivedMessage } from '#runtime/broker-consumer.ts'
import { brokerLog, type OnState } from '#runtime/broker-log.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { type MetricSource, sharedReading } from '#runtime/metrics/metric.ts'
import type { Loop } from '#runtime/loop.ts'
import { yieldWhenBusy, waitAtMost } from '#runtime/timeouts.ts'
import { startForgetting } from './attempt/host-limits.ts'
import { startRemovingOld } from './inspector/recorder.ts'
import { maxAttempts } from './attempt/retry-decision.ts'
import { openDeliveryPipeline, type DeliveryOptions, type DeliveryPipeline } from './delivery-pipeline.ts'
import { notificationConsumer, type SentWithin } from './fan-out/consumer.ts'
import { fanOut, type FannedOut } from './fan-out/fan-out.ts'
import { waitingByIds, type WaitingEvents } from './fan-out/rows.ts'
import { openSweeper } from './fan-out/missed-events-sweeper.ts'
import {
  deliveryMetrics,
  type DeliveryMetrics,
  dispatcherSource,
  type DispatcherFigures,
} from './metrics/dispatcher-metrics.ts'
import { openClaimer, type Claimer } from './queue/claim-loop.ts'
import { oldestDueSeconds } from './queue/claim-rows.ts'
import { startExpiry } from './queue/postpone-and-expire.ts'
import { startHeartbeat } from './queue/heartbeat.ts'
import { releaseLeases, openUnansweredLeases, type UnansweredLeases } from './queue/leases.ts'
import { startOrdering, type OrderingLoop } from './queue/ordering.ts'

export type DispatcherOptions = DeliveryOptions & {
  readonly keyring: Pick<Keyring, 'open' | 'first' | 'has'>
  /** Where notifications of events come from: RabbitMQ, or the service in the same process. */
  readonly subscribe: (onMessage: (message: ReceivedMessage) => void, onState: OnState) => Promise<Consumer>
  /** How long its own heartbeats must be without a gap before it takes over from others. */
  readonly takesOverAfterMs?: number
  /** After which time without a failure it ends the leases that it does not know of. */
  readonly unansweredAfterMs?: number
  readonly drain?: Drain
}
/** Bounds on the end of a dispatcher: it is over within 20 seconds. */
type Drain = {
  /** From the beginning on, for what is being sent: longer than a send may take. */
  readonly sendingMs: number
  readonly writeMs: number
}
export type Dispatcher = {
  /** Whether notifications arrive. Without them everything is delivered all the same, a second later. */
  isConnected(): boolean
  /** From the first moment of `close` on. */
  isClosing(): boolean
  /** How many stored secrets need which sealing key that this dispatcher was not given; a few seconds old. */
  missingKeys(): Promise<Record<string, number>>
  readonly metrics: MetricSource
  close(): Promise<void>
}

/** All sealed values are counted, and they change seldom. */
const sealedSharedMs = 10_000
const standardDrain: Drain = { sendingMs: 16_000, writeMs: 1_000 }
const brokerWaitMs = 2_000
/**
 * For how long fan-out lets sends go first. A delivery that finds no slot at its fan-out is loaded when it gets one,
 * and costs half as much again.
 */
const busyMaxMs = 20

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { db, log } = options
  // One for each start of the process: the leases of an earlier one expire like those of any other dispatcher.
  const owner = randomUUID()
  const report = (what: string) => (err: unknown) => log.warn({ err }, `${what} failed, trying again`)
  const deliveries = deliveryMetrics()
  const { scheduler, withLoaded, ...pipeline } = openDeliveryPipeline(options, owner, {
    capacity: (webhookId) => claimer.claimFor(webhookId),
    writeError: report('writing results'),
    attempt: deliveries.onAttempt,
    leasesLost: deliveries.onLeasesLost,
    orderingKeysChanged: (keys) => ordering.changed(keys),
  })
  const heartbeat = startHeartbeat(db, owner, report('heartbeat'), options.takesOverAfterMs)
  const { mayTakeOver } = heartbeat
  const unanswered = openUnansweredLeases({
    db,
    owner,
    acceptedIds: scheduler.acceptedIds,
    onError: report('ending leases'),
    ...(options.unansweredAfterMs !== undefined && { afterMs: options.unansweredAfterMs }),
  })
  const claimer = openClaimer({
    db,
    owner,
    mayTakeOver,
    scheduler,
    onClaimed: deliveries.onClaimed,
    onError: (error) => {
      unanswered.noteFailure()
      report('claiming')(error)
    },
  })
  const ordering = startOrdering(db, claimer.claimFor, report('advancing ordered deliveries'))
  const fanOutRows = fanOutTo({ scheduler, claimer, ordering, unanswered, withLoaded }, options, owner)
  const events = await openEvents(options, fanOutRows, deliveries.onFannedOut, report('sweeping'))
  const cleaning = startCleaning(db, report)

  async function stopTaking(): Promise<void> {
    await events.stopConsuming()
    const loops = [ordering, claimer, unanswered, ...cleaning]
    await Promise.all([events.stopSweeping(), ...loops.map((each) => each.close())])
    await releaseLeases(db, owner, scheduler.stop()).catch(report('releasing leases'))
  }

  let closing = false
  async function close(): Promise<void> {
    closing = true
    const { sendingMs, writeMs } = options.drain ?? standardDrain
    await waitAtMost(
      sendingMs,
      stopTaking().then(() => scheduler.idle()),
    )
    await pipeline.close(writeMs)
    await heartbeat.close()
  }
  const { metrics, missingKeys } = figuresOf(options, { deliveries, scheduler, ...pipeline, ...events })
  return { isConnected: events.isConnected, isClosing: () => closing, missingKeys, metrics, close }
}

type Counted = Pick<DispatcherFigures, 'deliveries' | 'scheduler' | 'unwritten' | 'isConnected'>

/** What is told of a dispatcher: its metrics, and the sealing keys that it lacks. */
function figuresOf(
  { db, keyring }: Pick<DispatcherOptions, 'db' | 'keyring'>,
  { deliveries, scheduler, unwritten, isConnected }: Counted,
): Pick<Dispatcher, 'metrics' | 'missingKeys'> {
  const sealed = sharedReading(() => countSealedValues(db), sealedSharedMs)
  const metrics = dispatcherSource({
    deliveries,
    scheduler,
    unwritten,
    isConnected,
    sealedValues: async () => sumByState(await sealed(), keyring),
    oldestDueSeconds: sharedReading(() => oldestDueSeconds(db)),
  })
  return { metrics, missingKeys: async () => countsByKey(await sealed(), keyring, 'unknown') }
}

const startCleaning = (db: Database, report: (what: string) => (err: unknown) => void): Loop[] => [
  startExpiry(db, report('expiring')),
  startForgetting(db, report('forgetting hosts')),
  startRemovingOld(db, report('removing inspected requests')),
]

type FanOut = (waiting: WaitingEvents, sentWithin?: SentWithin) => Promise<Pick<FannedOut, 'events' | 'found'>>

type FanOutDeps = Pick<DeliveryPipeline, 'scheduler' | 'withLoaded'> & {
  readonly claimer: Claimer
  readonly ordering: OrderingLoop
  readonly unanswered: UnansweredLeases
}

/** Fans out, and queues the deliveries as far as there is capacity for them. */
const fanOutTo =
  (
    { scheduler, claimer, ordering, unanswered, withLoaded }: FanOutDeps,
    { db, scheduleSeconds, tracing = null }: DispatcherOptions,
    owner: string,
  ): FanOut =>
  async (waiting, sentWithin = new Map()) => {
    await yieldWhenBusy(busyMaxMs)
    const askedAt = performance.now()
    const reserved = scheduler.reserve()
    const traced = tracing === null ? null : { tracing, sentWithin }
    try {
      const done = await fanOut(db, waiting, { owner, maxAttempts: maxAttempts(scheduleSeconds), traced, ...reserved })
      const left = withLoaded(done.loaded, askedAt, () => scheduler.enqueue(done.leased))
      await releaseLeases(db, owner, left)
      done.claimable.forEach(claimer.claimFor)
      ordering.changed(done.orderingKeys)
      return done
    } catch (error) {
      unanswered.noteFailure()
      throw error
    } finally {
      reserved.end()
    }
  }

/** The two ways in which events are found. */
async function openEvents(
  { subscribe, log }: DispatcherOptions,
  fanOutRows: FanOut,
  onFannedOut: DeliveryMetrics['onFannedOut'],
  onSweepError: (error: unknown) => void,
) {
  const fanOutBy =
    (way: 'notified' | 'swept'): FanOut =>
    async (waiting, sentWithin) => {
      const done = await fanOutRows(waiting, sentWithin)
      onFannedOut(way, done.events)
      return done
    }
  const onIds = fanOutBy('notified')
  const notifications = notificationConsumer(async (ids, sentWithin) => {
    await onIds(waitingByIds(ids), sentWithin)
  }, log)
  const connection = await subscribe(notifications.onMessage, brokerLog(log))
  const isConnected = () => connection.isConnected()
  const source = { isConnected, idleMs: notifications.idleMs }
  const sweeper = openSweeper(fanOutBy('swept'), source, onSweepError)

  async function stopConsuming(): Promise<void> {
    await notifications.close()
    await waitAtMost(brokerWaitMs, connection.close())
  }
  return { isConnected, stopConsuming, stopSweeping: sweeper.close }
}
