// From a written event to its first byte at the receiver, at a rate below what every process can do.
import { runProgram } from '../../measure/program.ts'
import { graceMs, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Plan as RawPosts } from '../../programs/raw-posts.ts'
import type { Arrival } from '../../programs/receiver.ts'
import type { Plan as Creates, Result as Created } from '../../programs/steady-creates.ts'
import { quantile } from '../../report/figures.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { creates, startSystem, webhooksEach, workspaces, type Setting, type System } from './seeded-workspaces.ts'

const eventsPerSecond = 50
const arriveWithinMs = 60_000
const peer = 'undici.request'

const columns: readonly Column[] = [
  { figure: 'written50', title: 'written → first byte, p50 ms', digits: 1 },
  { figure: 'written99', title: 'p99 ms', digits: 1 },
  { figure: 'answered50', title: 'answered → first byte, p50 ms', digits: 1 },
  { figure: 'answered99', title: 'p99 ms', digits: 1 },
]

export const latency = (setting: Setting): Part => ({
  title: 'Latency',
  about:
    `${eventsPerSecond} projects a second are created at the service, each with ${webhooksEach} webhooks. *Written* is the event's \`occurredAt\`, taken when its change has the workspace's turn ` +
    'and rounded down to a millisecond: commit → first byte is less by the transaction and that rounding. *Answered* is when the caller has the answer: below zero where the receiver was told before the caller. ' +
    `First byte is when the receiver has the head of the request. One clock. The peer signs and sends the same body at the same rate of ${eventsPerSecond * webhooksEach} a second; its \`occurredAt\` is the moment before signing.`,
  ...{ columns, peer, rows: [product(setting), raw(setting)] },
})

const product = (setting: Setting): Row => ({
  name: 'service + dispatcher',
  measure: async () => {
    await using system = await startSystem(setting)
    await create(setting, system, warmSeconds)
    await setting.receiver.forget()
    const { answeredAt } = await create(setting, system, setting.seconds)
    const arrivals = await setting.receiver.arrivals()
    const sinceAnswer = arrivals.map(({ at, resourceId }) => at - (answeredAt[resourceId] ?? Number.NaN))
    return {
      ...writtenFigures(arrivals),
      answered50: quantile(sinceAnswer, 0.5),
      answered99: quantile(sinceAnswer, 0.99),
    }
  },
})

async function create(setting: Setting, { service }: System, seconds: number): Promise<Created> {
  const plan: Creates = { url: service.url, targets: creates(setting), perSecond: eventsPerSecond, seconds }
  const created = await runProgram<Created>('steady-creates', 'load', plan, seconds * 1_000 + graceMs)
  await setting.receiver.reached(eventsPerSecond * seconds * webhooksEach, arriveWithinMs)
  return created
}

const raw = ({ receiver, eventBody, seconds }: Setting): Row => ({
  name: peer,
  measure: async () => {
    const perSecond = eventsPerSecond * webhooksEach
    const send = (forSeconds: number) => {
      const plan: RawPosts = {
        url: receiver.url,
        body: eventBody,
        warmSeconds: 0,
        seconds: forSeconds,
        concurrency: workspaces,
        perSecond,
      }
      return runProgram('raw-posts', 'measured', plan, forSeconds * 1_000 + graceMs)
    }
    await receiver.forget()
    await send(seconds)
    return writtenFigures(await receiver.arrivals())
  },
})

function writtenFigures(arrivals: readonly Arrival[]): Sample {
  const sinceWritten = arrivals.map(({ at, occurredAt }) => at - occurredAt)
  return { written50: quantile(sinceWritten, 0.5), written99: quantile(sinceWritten, 0.99) }
}
