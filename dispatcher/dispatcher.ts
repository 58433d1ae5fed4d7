// The dispatcher put together. Two ways in (a notice through the broker, a marker found by the sweeper) meet in one
// fan-out; two ways to a place (fresh from the fan-out, come due in the database) meet in the scheduler; from there on there
// is one way: attempt, result, row.
import { randomUUID, type KeyObject } from 'node:crypto'
import type { Database } from '#prisma/client.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import type { Consumer, Received } from '#runtime/broker.ts'
import type { OnState } from '#runtime/broker-connection.ts'
import { brokerLog } from '#runtime/broker-log.ts'
import type { Log } from '#runtime/log.ts'
import { consuming } from './fan-out/consumer.ts'
import { deliverer } from './attempt/deliver.ts'
import { startExpiry } from './queue/expire-waiting.ts'
import { fanOut } from './fan-out/fan-out.ts'
import { openScheduler } from './queue/scheduler.ts'
import { releaseLeases } from './queue/leases.ts'
import { takeNamed, type Take } from './fan-out/outbox-rows.ts'
import { putOffWith } from './attempt/postpone.ts'
import { openClaimer } from './queue/claimer.ts'
import { startHeartbeat } from './queue/heartbeat.ts'
import { recorder } from './results/result-writer.ts'
import { writeResults } from './results/result-rows.ts'
import { maxAttempts } from './attempt/retry-schedule.ts'
import { openSender, sendTimeoutMs } from './attempt/send.ts'
import { openSweeper } from './fan-out/sweeper.ts'
import { loader } from './attempt/load-delivery.ts'

export type Parts = {
  readonly db: Database
  /** Where notices of events come from: RabbitMQ, or the service in the same process. */
  readonly subscribe: (onMessage: (message: Received) => void, onState: OnState) => Promise<Consumer>
  readonly brand: string
  /** Opens what the service sealed: signing secrets and custom headers. */
  readonly secretsKey: KeyObject
  readonly allowed: readonly AddressRange[]
  readonly allowHttp: boolean
  readonly scheduleSeconds: readonly number[]
  readonly log: Log
  readonly sendTimeoutMs?: number
  /** How long it must have been heard of itself before it takes up what others have left. */
  readonly takesOverAfterMs?: number
  readonly now?: () => Date
}
export type Dispatcher = {
  /** Notices arrive. Without them everything is delivered all the same, a second later. */
  isConnected(): boolean
  close(): Promise<void>
}

const inFlightWaitMs = 17_000
const writeWaitMs = 5_000
const brokerWaitMs = 2_000

export async function startDispatcher(parts: Parts): Promise<Dispatcher> {
  const { db, log, scheduleSeconds } = parts
  const timeoutMs = parts.sendTimeoutMs ?? sendTimeoutMs
  // Of this start of this process: what an earlier one had leased runs out like anybody else's.
  const owner = randomUUID()
  const report = (what: string) => (err: unknown) => log.warn({ err }, `${what} failed, trying again`)

  const sender = openSender({ allowed: parts.allowed, allowHttp: parts.allowHttp, timeoutMs })
  const results = recorder({
    write: (batch) => writeResults(db, owner, batch),
    onWritten: () => scheduler.dispatch(),
    onError: report('writing results'),
  })
  const attempting = {
    brand: parts.brand,
    secretsKey: parts.secretsKey,
    send: sender.send,
    scheduleSeconds,
    now: parts.now ?? (() => new Date()),
    random: Math.random,
  }
  const run = deliverer({
    db,
    owner,
    load: loader(db, owner),
    attempting,
    putOff: putOffWith(db, owner, log),
    record: results.record,
    attemptMs: timeoutMs + writeWaitMs,
    log,
  })
  const scheduler = openScheduler({
    run,
    mayStart: results.hasRoom,
    onCapacity: (webhookId) => claimer.claimFor(webhookId),
  })

  async function fanOutAndSend(take: Take): Promise<number> {
    const { events, leased } = await fanOut(db, take, {
      owner,
      maxAttempts: maxAttempts(scheduleSeconds),
      hasCapacity: scheduler.capacityCheck(),
    })
    await releaseLeases(db, owner, scheduler.enqueue(leased))
    return events
  }

  const heartbeat = startHeartbeat(db, owner, report('saying that it is there'), parts.takesOverAfterMs)
  const { mayTakeOver } = heartbeat
  const claimer = openClaimer({ db, owner, mayTakeOver, scheduler, onError: report('claiming') })
  const consumption = consuming(async (eventIds) => void (await fanOutAndSend(takeNamed(eventIds))), log)
  const consumer = await parts.subscribe(consumption.take, brokerLog(log))
  const notices = { isConnected: () => consumer.isConnected(), quietMs: consumption.quietMs }
  const sweeper = openSweeper(fanOutAndSend, notices, report('sweeping'))
  const expiry = startExpiry(db, report('expiring'))

  async function close(): Promise<void> {
    await consumption.close()
    await atMost(brokerWaitMs, consumer.close())
    await Promise.all([claimer.close(), sweeper.close(), expiry.close()])
    await releaseLeases(db, owner, scheduler.stop()).catch(report('giving back'))
    await atMost(inFlightWaitMs, scheduler.idle())
    await results.close(writeWaitMs)
    await sender.close()
    await heartbeat.close()
  }
  return { isConnected: () => consumer.isConnected(), close }
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
