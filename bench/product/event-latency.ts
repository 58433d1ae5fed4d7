// How soon the events of new projects, created at a fixed rate, are at the receiver.
import { runProgram } from '../measure/program.ts'
import { graceMs } from '../measure/requests.ts'
import type { Arrival } from '../programs/receiver.ts'
import type { Plan as Creates, Result as Created } from '../programs/steady-creates.ts'
import { quantile } from '../report/figures.ts'
import type { Column, Sample } from '../report/table.ts'
import { commitTimes, watchCommits } from './commit-times.ts'
import { creates, type Seeded, type System } from './webhook-system.ts'

export type Rate = {
  readonly eventsPerSecond: number
  readonly seconds: number
  /** Of each event, those that the receiver answers. */
  readonly deliveriesEach: number
}

const arriveWithinMs = 60_000

export const latencyColumns: readonly Column[] = [
  { figure: 'written50', title: 'written → first byte, p50 ms', digits: 1 },
  { figure: 'written99', title: 'p99 ms', digits: 1 },
  { figure: 'committed50', title: 'committed → first byte, p50 ms', digits: 1 },
  { figure: 'committed99', title: 'p99 ms', digits: 1 },
  { figure: 'answered50', title: 'answered → first byte, p50 ms', digits: 1 },
  { figure: 'answered99', title: 'p99 ms', digits: 1 },
]

/** After a warm-up of the same length: the processes have just been started, and compile what they do often. */
export async function eventLatency(seeded: Seeded, system: System, rate: Rate): Promise<Sample> {
  await watchCommits(system.database)
  await create(seeded, system, rate)
  await seeded.receiver.forget()
  const { answeredAt } = await create(seeded, system, rate)
  const arrivals = await seeded.receiver.arrivals()
  const committedAt = await commitTimes(system.database)
  const sinceCommit = arrivals.map(({ at, resourceId }) => at - (committedAt.get(resourceId) ?? Number.NaN))
  const sinceAnswer = arrivals.map(({ at, resourceId }) => at - (answeredAt[resourceId] ?? Number.NaN))
  return {
    ...writtenFigures(arrivals),
    committed50: quantile(sinceCommit, 0.5),
    committed99: quantile(sinceCommit, 0.99),
    answered50: quantile(sinceAnswer, 0.5),
    answered99: quantile(sinceAnswer, 0.99),
  }
}

async function create(seeded: Seeded, { service }: System, rate: Rate): Promise<Created> {
  const { eventsPerSecond, seconds, deliveriesEach } = rate
  const plan: Creates = { url: service.url, targets: creates(seeded), perSecond: eventsPerSecond, seconds }
  const created = await runProgram<Created>('steady-creates', 'load', plan, seconds * 1_000 + graceMs)
  await seeded.receiver.reached(eventsPerSecond * seconds * deliveriesEach, arriveWithinMs)
  return created
}

export function writtenFigures(arrivals: readonly Arrival[]): Sample {
  const sinceWritten = arrivals.map(({ at, occurredAt }) => at - occurredAt)
  return { written50: quantile(sinceWritten, 0.5), written99: quantile(sinceWritten, 0.99) }
}
