// The dispatcher put together. Events come in through the broker or are found by the sweeper, and are fanned out to
// deliveries; fresh deliveries and those that have come due meet in the scheduler; from there on there is one way:
// attempt, result, row.
import { randomUUID } from 'node:crypto'
import { countSealedValues, countsByKey, sumByState } from '#prisma/sealing-rows.ts'
import type { Consumer, ReceivedMessage } from '#runtime/broker-consumer.ts'
import type { OnState } from '#runtime/broker-connection.ts'
import { brokerLog } from '#runtime/broker-log.ts'
import type { Keyring } from '#runtime/keyring.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { sharedReading } from '#runtime/metrics/shared-reading.ts'
import { quietTurn } from '#runtime/quiet-turn.ts'
import { waitAtMost } from '#runtime/timeout.ts'
import { startForgetting } from './attempt/host-limits.ts'
import { maxAttempts } from './attempt/retry-schedule.ts'
import { openDeliveryPipeline, type DeliveryOptions, type DeliveryPipeline } from './delivery-pipeline.ts'
import { notificationConsumer } from './fan-out/consumer.ts'
import { fanOut, type FannedOut } from './fan-out/fan-out.ts'
import { waitingByIds, type WaitingEvents } from './fan-out/outbox-rows.ts'
import { openSweeper } from './fan-out/missed-events-sweeper.ts'
import { deliveryMetrics, type DeliveryMetrics } from './metrics/delivery-metrics.ts'
import { dispatcherSource } from './metrics/dispatcher-source.ts'
import { openClaimer, type Claimer } from './queue/claim-loop.ts'
import { startExpiry } from './queue/dead-letter-paused.ts'
import { startHeartbeat } from './queue/dispatcher-heartbeat.ts'
import { releaseLeases } from './queue/leases.ts'
import { oldestDueSeconds } from './queue/oldest-due.ts'
import { startTurns, type TurnLoop } from './queue/turn-loop.ts'
import { openUnansweredLeases, type UnansweredLeases } from './queue/unanswered-leases.ts'

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
export type Drain = {
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
 * For how long fan-out lets sends go first. A delivery that finds no slot at its fan-out is loaded when it gets one, and
 * costs half as much again.
 */
const busyMaxMs = 20

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { db, log } = options
  // Of this start of the process: the leases of an earlier one expire like anybody else's.
  const owner = randomUUID()
  const report = (what: string) => (err: unknown) => log.warn({ err }, `${what} failed, trying again`)
  const deliveries = deliveryMetrics()
  const { scheduler, withLoaded, ...pipeline } = openDeliveryPipeline(options, owner, {
    capacity: (webhookId) => claimer.claimFor(webhookId),
    writeError: report('writing results'),
    attempt: deliveries.onAttempt,
    leasesLost: deliveries.onLeasesLost,
    linesMoved: (lines) => turns.moved(lines),
  })
  const heartbeat = startHeartbeat(db, owner, report('heartbeat'), options.takesOverAfterMs)
  const { mayTakeOver } = heartbeat
  const unanswered = openUnansweredLeases({
    ...{ db, owner, inHand: scheduler.inHand, onError: report('ending leases') },
    ...(options.unansweredAfterMs !== undefined && { afterMs: options.unansweredAfterMs }),
  })
  const onClaimError = (error: unknown) => (unanswered.noteFailure(), report('claiming')(error))
  const claimer = openClaimer({
    ...{ db, owner, mayTakeOver, scheduler, onClaimed: deliveries.onClaimed, onError: onClaimError },
  })
  const turns = startTurns(db, claimer.claimFor, report('giving turns'))
  const fanOutRows = fanOutTo({ scheduler, claimer, turns, unanswered, withLoaded }, options, owner)
  const events = await openEvents(options, fanOutRows, deliveries.onFannedOut, report('sweeping'))
  const cleaning = [startExpiry(db, report('expiring')), startForgetting(db, report('forgetting hosts'))]

  async function stopTaking(): Promise<void> {
    await events.stopConsuming()
    const loops = [turns, claimer, unanswered, ...cleaning]
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
  const { isConnected } = events
  const sealed = sharedReading(() => countSealedValues(db), sealedSharedMs)
  const metrics = dispatcherSource({
    ...{ deliveries, scheduler, unwritten: pipeline.unwritten, isConnected },
    sealedValues: async () => sumByState(await sealed(), options.keyring),
    oldestDueSeconds: sharedReading(() => oldestDueSeconds(db)),
  })
  const missingKeys = async () => countsByKey(await sealed(), options.keyring, 'unknown')
  return { isConnected, isClosing: () => closing, missingKeys, metrics, close }
}

type FanOut = (waiting: WaitingEvents) => Promise<Pick<FannedOut, 'events' | 'found'>>

type FanOutParts = Pick<DeliveryPipeline, 'scheduler' | 'withLoaded'> & {
  readonly claimer: Claimer
  readonly turns: TurnLoop
  readonly unanswered: UnansweredLeases
}

/** Their deliveries are queued as far as there is capacity for them. */
const fanOutTo =
  (
    { scheduler, claimer, turns, unanswered, withLoaded }: FanOutParts,
    { db, scheduleSeconds }: DispatcherOptions,
    owner: string,
  ): FanOut =>
  async (waiting) => {
    await quietTurn(busyMaxMs)
    const askedAt = performance.now()
    const reserved = scheduler.reserve()
    try {
      const { events, found, leased, loaded, claimable, lines } = await fanOut(db, waiting, {
        ...{ owner, maxAttempts: maxAttempts(scheduleSeconds), ...reserved },
      })
      const left = withLoaded(loaded, askedAt, () => scheduler.enqueue(leased))
      await releaseLeases(db, owner, left)
      claimable.forEach(claimer.claimFor)
      turns.moved(lines)
      return { events, found }
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
    async (waiting) => {
      const done = await fanOutRows(waiting)
      onFannedOut(way, done.events)
      return done
    }
  const onIds = fanOutBy('notified')
  const notifications = notificationConsumer(async (ids) => void (await onIds(waitingByIds(ids))), log)
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
