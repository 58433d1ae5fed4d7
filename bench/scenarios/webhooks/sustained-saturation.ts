// The saturation again, for as long as was asked for, once.
import { drained, fillBefore } from '../../product/backlog.ts'
import { startSystem } from '../../product/webhook-system.ts'
import { startDispatcher } from '../../product/tiers.ts'
import { spreadOf } from '../../report/figures.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'
import { peer, rawLoop } from './saturation.ts'
import { webhooksEachWide, workspaces, type Setting } from './setting.ts'

const name = 'dispatcher'
/** Of a backlog, the part that is measured. */
const measuredPart = 0.75

const columns: readonly Column[] = [
  { figure: 'seconds', title: 's measured', digits: 0 },
  { figure: 'perSecond', title: 'deliveries/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/delivery', digits: 0, compared: true },
  { figure: 'postgres', title: 'Postgres µs/delivery', digits: 0 },
  { figure: 'walBytes', title: 'WAL bytes/delivery', digits: 0 },
]

/** After the part that has measured the highest rate. */
export const sustainedSaturation = (setting: Setting): Part => ({
  title: 'Saturation, sustained',
  about:
    `As above, for about ${setting.seconds} s. A dispatcher is started when all its events wait in RabbitMQ, ${webhooksEachWide} webhooks for each, ${workspaces * webhooksEachWide} webhooks in ${workspaces} workspaces, and what it makes of the first fifth does not count. ` +
    'A frozen one would lose its connection to the broker while so many are made. Once, not in rounds.',
  columns,
  peer,
  roundsMax: 1,
  rows: [{ name, measure: () => measure(setting) }, rawLoop(setting, setting.seconds)],
  goals: [
    {
      says: 'rate, which is deliveries a second over those of the loop',
      own: { row: name, figure: 'perSecond' },
      over: { row: peer, figure: 'perSecond' },
      atLeast: 0.35,
    },
    {
      says: 'CPU, which is that of a delivery over that of the loop',
      own: { row: name, figure: 'cpu' },
      over: { row: peer, figure: 'cpu' },
      atMost: 2.9,
    },
  ],
})

async function measure({ wide, seconds, highest }: Setting): Promise<Sample> {
  await using system = await startSystem(wide, { dispatchers: 0 })
  const { database } = system
  const wanted = ((spreadOf(highest)?.median ?? 0) * seconds) / measuredPart
  const events = Math.ceil(wanted / webhooksEachWide)
  const deliveries = await fillBefore(wide, system, { events, deliveriesEach: webhooksEachWide })
  await using dispatcher = await startDispatcher(wide.deployment, database.url)
  const figures = await drained(wide, { database, dispatchers: [dispatcher] }, deliveries)
  return { seconds: (deliveries * measuredPart) / (figures['perSecond'] ?? Number.NaN), ...figures }
}
