// How many deliveries one dispatcher makes in a second when there is always another: it is warmed up, then frozen while
// a backlog is made.
import { setTimeout as after } from 'node:timers/promises'
import type { Looped } from '../../measure/loop.ts'
import { runProgram } from '../../measure/program.ts'
import { connections, graceMs, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { drained, freezeAndFill, warmUp } from '../../product/backlog.ts'
import { startSystem } from '../../product/webhook-system.ts'
import type { Plan as RawPosts } from '../../programs/raw-posts.ts'
import type { Column } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { webhooksEach, workspaces, type Setting } from './setting.ts'

const eventsPerSecond = 1_000
/** About as many deliveries as the peer makes in its warm-up. */
const warmEvents = 6_000
/** An idle session of Postgres tells the server what it has counted after ten seconds at the latest. */
const countedWithinMs = 10_500
export const peer = 'undici.request loop'
const secondsMax = 10

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
    `One dispatcher drains events that wait in RabbitMQ, ${webhooksEach} webhooks for each, ${workspaces * webhooksEach} webhooks in ${workspaces} workspaces, one receiver that answers at once; the service is stopped. It has made about ${warmEvents * webhooksEach} before, and the peer has posted for ${warmSeconds} s. ` +
    `The peer posts the same body to the same receiver over ${connections} connections. Transactions and rows are from pg_stat_database over the whole drain and include the fan-out; WAL is the server's, and holds what others wrote meanwhile.`,
  columns,
  peer,
  rows: [product(setting), rawLoop(setting, Math.min(setting.seconds, secondsMax))],
})

const product = ({ narrow, seconds, highest }: Setting): Row => ({
  name: 'dispatcher',
  measure: async () => {
    await using system = await startSystem(narrow)
    const { database, dispatchers } = system
    await warmUp(narrow, system, { events: warmEvents, deliveriesEach: webhooksEach })
    await after(countedWithinMs)
    const events = eventsPerSecond * Math.min(seconds, secondsMax)
    const deliveries = await freezeAndFill(narrow, system, { events, deliveriesEach: webhooksEach })
    const before = await database.look<Counted>(counted)
    const figures = await drained(narrow, system, deliveries)
    // Its sessions tell the server what they have counted when they end.
    for (const dispatcher of dispatchers) await dispatcher.stop()
    const now = await database.look<Counted>(counted)
    highest.push(figures['perSecond'] ?? 0)
    return {
      ...figures,
      transactions: (now.transactions - before.transactions) / deliveries,
      rows: (now.rows - before.rows) / deliveries,
    }
  },
})

type Counted = { readonly transactions: number; readonly rows: number }

const counted = `SELECT xact_commit::float8 AS transactions, (tup_inserted + tup_updated + tup_deleted)::float8 AS rows
  FROM pg_stat_database WHERE datname = current_database()`

/** For as many seconds as that. */
export const rawLoop = ({ narrow: { receiver }, eventBody }: Setting, seconds: number): Row => ({
  name: peer,
  measure: async () => {
    const plan: RawPosts = { url: receiver.url, body: eventBody, warmSeconds, seconds, concurrency: connections }
    const measured = await runProgram<Looped>('raw-posts', 'measured', plan, (warmSeconds + seconds) * 1_000 + graceMs)
    return { perSecond: measured.done / measured.seconds, cpu: measured.cpuMicros / measured.done }
  },
})
