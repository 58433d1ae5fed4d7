// One kind of call through the whole product, with the CPU of each tier and each store.
import { setTimeout as after } from 'node:timers/promises'
import type { Core } from '../../measure/cores.ts'
import { cpuByProcess, usedPerOne, type CpuReading } from '../../measure/cpu.ts'
import { load, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { removeQueues } from '../../product/broker.ts'
import type { Database } from '../../product/database.ts'
import type { Receiver } from '../../product/receiver.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { startDispatcher, startGateway, startService } from '../../product/tiers.ts'
import type { Target } from '../../programs/load.ts'
import type { Sample } from '../../report/table.ts'
import type { Stores } from './stores.ts'

export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly receiver: Receiver
  readonly stores: Stores
  readonly seconds: number
}
export type Asking = {
  readonly name: string
  readonly targets: readonly Target[]
  readonly expect: number
  /** Of each call. */
  readonly deliveries?: number
}
type Watched = Readonly<Record<string, readonly number[]>>

const connections = 32
/** Code that is run seldom is slow. */
const warmRequests = 3_000
const warmSecondsMax = 20
const deliveredWithinMs = 120_000
/** What is written behind the answers: usage, log lines, results of deliveries. */
const restMs = 1_500

/** All tiers on the measured core; the stores are where they are. */
export const costOf = (setting: Setting, asking: Asking): Row => ({
  name: asking.name,
  measure: () => measured(setting, asking, 'measured'),
})

/** All of it on the same two cores, with what loads it. */
export const onOneNode = (setting: Setting, asking: Asking): Row => ({
  name: asking.name,
  measure: () => measured(setting, asking, 'both'),
})

async function measured(setting: Setting, asking: Asking, core: Core): Promise<Sample> {
  const { seeded, receiver, stores, seconds } = setting
  const { targets, expect, deliveries = 0 } = asking
  // Limits are counted and queues are named by the brand: each row begins with its own.
  const deployment = { ...setting.deployment, brand: newDeployment().brand }
  await using undo = new AsyncDisposableStack()
  undo.defer(() => removeQueues(deployment))
  const database = undo.use(await seeded.copy())
  const service = undo.use(await startService(deployment, database.url, {}, core))
  const dispatcher = undo.use(await startDispatcher(deployment, database.url, {}, core))
  const gateway = undo.use(await startGateway(deployment, service.url, {}, core))
  await receiver.forget()
  const plan = { url: gateway.url, targets, expect, connections }

  const warmed = await load({ ...plan, seconds: warmSeconds })
  const missing = warmRequests - warmed.done
  const more = missing > 0 ? (await load({ ...plan, seconds: warmSecondsMax, count: missing })).done : 0
  await receiver.reached((warmed.done + more) * deliveries, deliveredWithinMs)
  await after(restMs)

  const watched: Watched = {
    gateway: [gateway.pid],
    service: [service.pid],
    dispatcher: [dispatcher.pid],
    postgres: await database.backends(),
    ...stores,
  }
  const from = { cpu: readings(watched), wal: await walOf(database) }
  const loaded = await load({ ...plan, seconds })
  await receiver.reached((warmed.done + more + loaded.done) * deliveries, deliveredWithinMs)
  await after(restMs)
  const to = { cpu: readings(watched), wal: await walOf(database) }

  const each = Object.keys(watched).map((name): [string, number | null] => [
    name,
    usedPerOne(from.cpu[name] ?? new Map(), to.cpu[name] ?? new Map(), loaded.done),
  ])
  return {
    ...Object.fromEntries(each),
    all: each.reduce((sum, [, cpu]) => sum + (cpu ?? 0), 0),
    wal: (to.wal - from.wal) / loaded.done,
    perSecond: loaded.done / loaded.seconds,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
  }
}

/** A session of Postgres may end meanwhile. */
const readings = (watched: Watched): Record<string, CpuReading> =>
  Object.fromEntries(Object.entries(watched).map(([name, pids]) => [name, cpuByProcess(pids)]))

/** The server's, so what others write meanwhile is in it. */
const walOf = async ({ look }: Database): Promise<number> =>
  (await look<{ bytes: number }>(`SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS bytes`)).bytes
