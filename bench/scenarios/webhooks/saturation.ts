// How many deliveries one dispatcher makes in a second when there is always another: it is warmed up, then frozen while a
// backlog is made.
import { setTimeout as after } from 'node:timers/promises'
import { runProgram } from '../../measure/program.ts'
import { connections, graceMs, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { until } from '../../measure/wait-until.ts'
import { waitingMessages } from '../../product/broker.ts'
import type { Plan as Load, Result as Loaded } from '../../programs/load.ts'
import type { Plan as RawPosts } from '../../programs/raw-posts.ts'
import type { Looped } from '../../measure/loop.ts'
import type { Column } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { drained, drainWithinMs } from './drain.ts'
import { creates, startSystem, webhooksEach, workspaces, type Setting, type System } from './seeded-workspaces.ts'

const eventsPerSecond = 1_000
const warmEvents = 1_000
/** After a longer time the broker closes the connection of a frozen dispatcher. */
const frozenSecondsMax = 12
const queueStillMs = 500
/** An idle session of Postgres tells the server what it has counted after ten seconds at the latest. */
const countedWithinMs = 10_500
const peer = 'undici.request loop'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'deliveries/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/delivery', digits: 0, compared: true },
  { figure: 'postgres', title: 'Postgres µs/delivery', digits: 0 },
  { figure: 'transactions', title: 'transactions/delivery', digits: 2 },
  { figure: 'rows', title: 'rows written/delivery', digits: 1 },
  { figure: 'walBytes', title: 'WAL bytes/delivery', digits: 0 },
]

export const saturation = (setting: Setting): Part => ({
  title: 'Saturation',
  about:
    `One dispatcher drains events that wait in RabbitMQ, ${webhooksEach} webhooks for each, ${workspaces * webhooksEach} webhooks in ${workspaces} workspaces, one receiver that answers at once; the service is stopped. ` +
    `The peer posts the same body to the same receiver over ${connections} connections. Transactions and rows are from pg_stat_database over the whole drain and include the fan-out; WAL is the server's, and holds what others wrote meanwhile.`,
  ...{ columns, peer, rows: [product(setting), raw(setting)] },
})

/** Under load one message holds many events: all are there when the queue has stopped growing. */
async function allInBroker({ deployment }: Setting): Promise<void> {
  let before = -1
  await until('the queue to stop growing', 10_000, async () => {
    await after(queueStillMs)
    const now = await waitingMessages(deployment)
    const stopped = now === before
    before = now
    return stopped ? true : null
  })
}

const product = (setting: Setting): Row => ({
  name: 'dispatcher',
  measure: async () => {
    await using system = await startSystem(setting)
    const warmed = await create(setting, system, warmEvents)
    await setting.receiver.reached(warmed * webhooksEach, drainWithinMs)
    await after(countedWithinMs)
    process.kill(system.dispatcher.pid, 'SIGSTOP')
    const events = await create(setting, system, eventsPerSecond * setting.seconds)
    await allInBroker(setting)
    await system.service.stop()
    await setting.receiver.forget()
    return await drained(setting, system, events * webhooksEach)
  },
})

async function create(setting: Setting, { service }: System, count: number): Promise<number> {
  const plan: Load = {
    url: service.url,
    targets: creates(setting),
    expect: 201,
    connections,
    seconds: frozenSecondsMax,
    count,
  }
  return (await runProgram<Loaded>('load', 'load', plan, frozenSecondsMax * 1_000 + graceMs)).done
}

const raw = ({ receiver, eventBody, seconds }: Setting): Row => ({
  name: peer,
  measure: async () => {
    const plan: RawPosts = { url: receiver.url, body: eventBody, warmSeconds, seconds, concurrency: connections }
    const {
      done,
      seconds: took,
      cpuMicros: cpu,
    } = await runProgram<Looped>('raw-posts', 'measured', plan, (warmSeconds + seconds) * 1_000 + graceMs)
    return { perSecond: done / took, cpu: cpu / done }
  },
})
