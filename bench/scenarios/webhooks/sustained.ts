// As many events as one dispatcher can send, for a while, from services that make them meanwhile: what arrives, what
// piles up, and whether the dispatcher grows.
import { setTimeout as after } from 'node:timers/promises'
import { freePort } from '../../measure/free-port.ts'
import { heldHeap, inspectable } from '../../measure/heap.ts'
import { memoryOver, type Memory } from '../../measure/memory.ts'
import { runProgram } from '../../measure/program.ts'
import { connections, graceMs } from '../../measure/requests.ts'
import { creates, startSystem, type System } from '../../product/webhook-system.ts'
import type { Plan as Creates, Result as Created } from '../../programs/steady-creates.ts'
import { quantile, spreadOf } from '../../report/figures.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { webhooksEachWide, workspaces, type Setting } from './setting.ts'

const name = 'service + dispatcher'
const lookEveryMs = 500
const drainWithinMs = 120_000

const columns: readonly Column[] = [
  { figure: 'offered', title: 'asked for, deliveries/s', digits: 0 },
  { figure: 'written', title: 'written/s', digits: 0 },
  { figure: 'delivered', title: 'delivered/s', digits: 0 },
  { figure: 'outbox', title: 'events in the outbox at the end', digits: 0 },
  { figure: 'pending', title: 'deliveries pending at the end', digits: 0 },
  { figure: 'drainSeconds', title: 's until none', digits: 1 },
  { figure: 'rssFirst', title: 'RSS MiB, first quarter', digits: 0 },
  { figure: 'rssLast', title: 'last quarter', digits: 0 },
  { figure: 'rssPeak', title: 'peak', digits: 0 },
  { figure: 'heldFirst', title: 'held MiB, after a quarter', digits: 0 },
  { figure: 'heldLast', title: 'at the end', digits: 0 },
]

export const sustained = (setting: Setting): Part => ({
  title: 'Sustained',
  about:
    `For ${setting.seconds} s the service is asked for as many projects, with ${webhooksEachWide} webhooks each in ${workspaces} workspaces, as one dispatcher has been able to deliver above; all processes, Postgres, broker, load and receiver share the machine's cores. ` +
    `No more than ${connections} projects are asked for at once, so *written* is less than *asked for* where the machine cannot do more. *Delivered* is what has arrived when the last was written, over the whole time. ` +
    'RSS is that of the dispatcher, its quarters are medians; it holds garbage that is not collected yet, and a machine with much memory lets it lie. *Held* is what is left of the heap when it is collected. Once, not in rounds.',
  columns,
  rows: [{ name, measure: () => measure(setting) }],
  goals: [
    {
      says: 'no backlog that grows, which is delivered over written',
      own: { row: name, figure: 'delivered' },
      over: { row: name, figure: 'written' },
      atLeast: 0.95,
    },
    {
      says: 'flat, which is RSS of the last quarter over the first',
      own: { row: name, figure: 'rssLast' },
      over: { row: name, figure: 'rssFirst' },
      atMost: 1.1,
    },
    {
      says: 'flat, which is what is held at the end over what is held after a quarter',
      own: { row: name, figure: 'heldLast' },
      over: { row: name, figure: 'heldFirst' },
      atMost: 1.1,
    },
  ],
  roundsMax: 1,
})

async function measure({ wide, seconds, highest }: Setting): Promise<Sample> {
  const port = await freePort()
  await using system = await startSystem(wide, { environment: inspectable(port) })
  const pid = system.dispatchers[0]?.pid ?? 0
  const perSecond = Math.round((spreadOf(highest)?.median ?? 0) / webhooksEachWide)
  const over = new AbortController()
  const looking = memoryOver(pid, lookEveryMs, over.signal)
  const startedAt = performance.now()
  const plan: Creates = {
    url: system.service.url,
    targets: creates(wide),
    perSecond,
    seconds,
    underWayMax: connections,
  }
  const heldFirst = after(seconds * 250).then(() => heldHeap(pid, port))
  const created = await runProgram<Created>('steady-creates', 'load', plan, seconds * 1_000 + graceMs).finally(() =>
    over.abort(),
  )
  const endedAt = performance.now()
  const arrived = await wide.receiver.count()
  const left = await backlog(system)
  const written = Object.keys(created.answeredAt).length * webhooksEachWide
  await wide.receiver.reached(written, drainWithinMs)
  const drainSeconds = (performance.now() - endedAt) / 1_000
  const took = (endedAt - startedAt) / 1_000
  return {
    offered: perSecond * webhooksEachWide,
    written: written / took,
    delivered: arrived / took,
    ...left,
    drainSeconds,
    heldFirst: await heldFirst,
    heldLast: await heldHeap(pid, port),
    ...memoryFigures(await looking),
  }
}

const backlog = ({ database }: System): Promise<{ outbox: number; pending: number }> =>
  database.look(`SELECT (SELECT count(*)::int FROM outbox) AS outbox,
    (SELECT count(*)::int FROM delivery WHERE next_attempt_at IS NOT NULL) AS pending`)

function memoryFigures(looks: readonly Memory[]): Sample {
  const rss = looks.map((look) => look.rss)
  const quarter = Math.ceil(rss.length / 4)
  return {
    rssFirst: quantile(rss.slice(0, quarter), 0.5),
    rssLast: quantile(rss.slice(-quarter), 0.5),
    rssPeak: quantile(rss, 1),
  }
}
