// A steady load for long, and what has grown by its end.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { startReceiver, type ReceivedCall } from '../support/receiver.ts'
import { openStage, type Row, type Scenario, type Stage } from './stage.ts'

const webhooks = 2
/** Calls. */
const perSecond = 20
/** Deliveries in each second: 70 % of the 1,200 that two quick cores have written and delivered. */
const rateMax = 840
/** This process keeps what each call brought, for the audit: what lasts longer goes slower. */
const deliveriesMax = 3_500_000
/** Bodies: the webhooks of an event get the same one at about the same time. */
const bodiesShared = 20_000
/** Before that, caches fill. */
const warmShare = 0.25
const pageBytes = 4_096
const mib = 1024 * 1024

const soaked = (seconds: number): Row => {
  const rate = Math.min(rateMax, deliveriesMax / seconds)
  const perCall = Math.floor(rate / perSecond / webhooks)
  return {
    name: `${perSecond * perCall * webhooks} deliveries a second for ${seconds} s`,
    measure: () => measure(seconds, { perSecond, perCall }),
  }
}

async function measure(seconds: number, load: { readonly perSecond: number; readonly perCall: number }) {
  await using receiver = await startReceiver((_call, number) => (number % 100 === 0 ? 500 : 200), {
    keep: whatIsAudited(),
  })
  await using stage = await openStage({ receivers: [receiver, receiver], ...load })
  await after(seconds * warmShare * 1_000)
  const warm = await sizes(stage)
  const warmCalls = receiver.calls.length
  await after(seconds * (1 - warmShare) * 1_000)
  const end = await sizes(stage)
  const walBytes = (end.walBytes - warm.walBytes) / (receiver.calls.length - warmCalls)
  console.error('Memory and open files, early and at the end:', warm, end)
  await stage.stopLoad()
  const drainSeconds = await stage.drained()
  const { figures, notes } = await stage.audit({ kills: 0, of: [receiver] })
  const grown = {
    grownMiB: end.rssMiB - warm.rssMiB,
    grownHandles: end.handles - warm.handles,
    deadPerLive: end.deadPerLive,
    walBytes,
  }
  return { figures: { ...figures, drainSeconds, ...grown }, notes }
}

function whatIsAudited() {
  const bodies = new LRUCache<string, Buffer>({ max: bodiesShared })
  return ({ headers, body }: Pick<ReceivedCall, 'headers' | 'body'>) => {
    const text = body.toString('latin1')
    const kept = bodies.get(text) ?? body
    bodies.set(text, kept)
    return { headers: { 'webhook-id': headers['webhook-id'] }, body: kept }
  }
}

async function sizes({ parts, count }: Stage) {
  const pids = [parts.service, ...parts.dispatchers].map(({ pid }) => pid)
  const sum = (of: (pid: number) => number) => pids.map(of).reduce((total, one) => total + one, 0)
  return {
    rssMiB: sum(rssMiB),
    handles: sum((pid) => readdirSync(`/proc/${pid}/fd`).length),
    walBytes: await count(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS count`),
    deadPerLive: await count(
      `SELECT sum(n_dead_tup)::float8 / greatest(1, sum(n_live_tup)) AS count FROM pg_stat_user_tables
       WHERE relname ~ '^(event|delivery|attempt|outbox)'`,
    ),
  }
}

const rssMiB = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / mib

export const soak: Scenario = {
  title: 'A steady load',
  about: `One in a hundred requests fails. Memory and open files are those of service and dispatcher together, from ${warmShare * 100} % of the time on.`,
  rows: ({ seconds }) => [soaked(seconds)],
}
