// What receivers that hang cost those that do not: the latency of the others, with and without them.
import { eventLatency, latencyColumns } from '../../product/event-latency.ts'
import { startSystem, type Seeded } from '../../product/webhook-system.ts'
import type { Part } from '../../scenario.ts'
import { hangingEach, stuckRows, wellEach, workspaces, type Setting } from './setting.ts'

const eventsPerSecond = 50
/** Longer than a request may take: all that hang are given up once meanwhile. */
const withTimeOutsSeconds = 16
const roundsMax = 3
const alone = 'without them'
const beside = 'beside them'
const moreMsMax = 20

const part = (title: string, about: string, without: Seeded, withThem: Seeded, seconds: number): Part => ({
  title,
  about,
  columns: latencyColumns.map((column) => ({ ...column, added: true })),
  peer: alone,
  roundsMax,
  rows: [
    { name: alone, measure: () => measure(without, seconds) },
    { name: beside, measure: () => measure(withThem, seconds) },
  ],
  goals: (['written99', 'answered99'] as const).map((figure) => ({
    says: `p99 beside them, ms more (${figure === 'written99' ? 'since written' : 'since answered'}),`,
    own: { row: beside, figure },
    less: { row: alone, figure },
    atMost: moreMsMax,
  })),
})

async function measure(seeded: Seeded, seconds: number) {
  await using system = await startSystem(seeded)
  return await eventLatency(seeded, system, { eventsPerSecond, seconds, deliveriesEach: wellEach })
}

export const hangingNeighbours = ({ well, mixed }: Setting): Part =>
  part(
    'Beside receivers that hang',
    `${workspaces} workspaces with ${wellEach} webhooks each that are answered at once, and ${hangingEach} each that hang: 60 % of 200, all of them new. ${eventsPerSecond} projects a second are created, for ${withTimeOutsSeconds} s after a warm-up of the same length, so that requests time out and are retried meanwhile. ` +
      'Latency is that of the deliveries which are answered; what *written* and *answered* mean is told in `webhooks`.',
    ...([well, mixed, withTimeOutsSeconds] as const),
  )

export const stuckNeighbour = ({ well, stuck, seconds }: Setting): Part =>
  part(
    'Beside a long backlog',
    `The same webhooks, without those that hang but for one, for which ${stuckRows.toLocaleString('en-US')} deliveries have been due for an hour (written by SQL). The dispatcher starts with them. Its own new events come on top.`,
    ...([well, stuck, seconds] as const),
  )
