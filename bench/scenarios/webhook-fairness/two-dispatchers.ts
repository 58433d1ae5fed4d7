// Whether a second dispatcher helps, and what it costs.
import { drained, freezeAndFill, warmUp } from '../../product/backlog.ts'
import { startSystem } from '../../product/webhook-system.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { wellEach, workspaces, type Setting } from './setting.ts'

const warmEvents = 500
const eventsPerSecond = 500
const roundsMax = 2
const [one, two] = ['one dispatcher', 'two dispatchers']

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'deliveries/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/delivery', digits: 0, compared: true },
  { figure: 'postgres', title: 'Postgres µs/delivery', digits: 0, compared: true },
]

export const twoDispatchers = (setting: Setting): Part => ({
  title: 'Two dispatchers',
  about:
    `A backlog of ${eventsPerSecond * setting.seconds} events with ${wellEach} webhooks each in ${workspaces} workspaces, in RabbitMQ, is worked off by one dispatcher, and by two; the service is stopped. ` +
    'Dispatchers run on both cores, and share them with Postgres, the broker and the receiver. CPU is that of all dispatchers.',
  columns,
  peer: one,
  roundsMax,
  rows: [
    { name: one, measure: () => measure(setting, 1) },
    { name: two, measure: () => measure(setting, 2) },
  ],
  goals: [
    {
      says: 'CPU for each delivery, over that of one,',
      own: { row: two, figure: 'cpu' },
      over: { row: one, figure: 'cpu' },
      atMost: 1.2,
    },
  ],
})

async function measure({ well, seconds }: Setting, dispatchers: number): Promise<Sample> {
  await using system = await startSystem(well, { dispatchers, core: 'both' })
  await warmUp(well, system, { events: warmEvents, deliveriesEach: wellEach })
  const backlog = { events: eventsPerSecond * seconds, deliveriesEach: wellEach }
  return await drained(well, system, await freezeAndFill(well, system, backlog))
}
