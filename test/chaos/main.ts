// `npm run chaos -- [scenario…] [--rounds N] [--seconds N]`: kills, freezes and wipes the parts of a deployment of its
// own while changes are written, and audits the ledger afterwards (ledger-audit.ts). Needs Postgres, RabbitMQ and Redis
// installed: it starts its own, so that nobody else is harmed. Each scenario keeps its result in results/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { environment } from '../../bench/report/environment.ts'
import { page } from '../../bench/report/page.ts'
import { table, type Column, type Sample } from '../../bench/report/table.ts'
import { cluster } from './cluster.ts'
import { broker, churn, database, freeze, kills } from './failures.ts'
import { herdWaits } from './herd.ts'
import { noisyTenant, poison } from './neighbours.ts'
import { network } from './network.ts'
import { soak } from './soak.ts'
import type { Scenario, Sizes } from './stage.ts'
import { standalone } from './standalone.ts'
import { upgrade } from './upgrade.ts'

const scenarios: Readonly<Record<string, Scenario>> = {
  kills,
  broker,
  database,
  churn,
  freeze,
  poison,
  noisy: noisyTenant,
  herd: herdWaits,
  soak,
  standalone,
  network,
  cluster,
  upgrade,
}

const deployment =
  'Gateway, service, dispatchers, Postgres, RabbitMQ and Redis as processes of their own, on one machine, while projects are created. A row ends when nothing is left to be delivered, with an audit of the ledger against what the receivers got. Latency is from the event to its arrival.'
const facts = () => ({
  ...environment(),
  placement: 'not pinned to cores',
  rounds: String(sizes.rounds),
  seconds: String(sizes.seconds),
})
const columns: readonly Column[] = [
  { figure: 'kills', title: 'kills', digits: 0 },
  { figure: 'calls', title: 'calls', digits: 0 },
  { figure: 'refused', title: 'refused', digits: 0 },
  { figure: 'unanswered', title: 'without an answer', digits: 0 },
  { figure: 'slowestSeconds', title: 'slowest call, s', digits: 1 },
  { figure: 'expected', title: 'deliveries', digits: 0 },
  { figure: 'lost', title: 'lost', digits: 0 },
  { figure: 'problems', title: 'audit: problems', digits: 0 },
  { figure: 'duplicates', title: 'duplicates', digits: 0 },
  { figure: 'perKill', title: 'duplicates per kill', digits: 2 },
  { figure: 'interrupted', title: 'attempts interrupted', digits: 0 },
  { figure: 'unrecorded', title: 'requests not in the log', digits: 0 },
  { figure: 'drainSeconds', title: 's to drain', digits: 1 },
  { figure: 'p50', title: 'p50 ms', digits: 0 },
  { figure: 'p99', title: 'p99 ms', digits: 0 },
  { figure: 'openAtOnce', title: 'open at once, most', digits: 0 },
  { figure: 'perSecond', title: 'in a second, most', digits: 0 },
  { figure: 'grownMiB', title: 'memory grown, MiB', digits: 0 },
  { figure: 'grownHandles', title: 'open files grown', digits: 0 },
  { figure: 'deadPerLive', title: 'dead rows per live one', digits: 2 },
  { figure: 'walBytes', title: 'WAL bytes per request', digits: 0 },
]
type Measured = { readonly name: string; readonly samples: readonly Sample[] }

const results = join(import.meta.dirname, 'results')
const most = { rounds: 1_000, seconds: 7_200 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '8' } },
})
const sizes: Sizes = { rounds: within('rounds'), seconds: within('seconds') }
const unknown = positionals.filter((name) => scenarios[name] === undefined)
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}.`)

for (const [name, { title, about, rows }] of Object.entries(scenarios)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const measured: Measured[] = []
  for (const row of rows(sizes)) {
    const { figures, notes } = await row.measure()
    console.error(`${title}, ${row.name}: ${JSON.stringify(figures)}`, ...notes)
    measured.push({ name: row.name, samples: [figures] })
  }
  const text = page(`chaos-${name}`, deployment, facts(), [
    { title, about, table: table(columnsOf(measured), measured) },
  ])
  console.log(text)
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${name}.md`), text)
}
process.exit(0)

function columnsOf(measured: readonly Measured[]): readonly Column[] {
  return columns.filter(({ figure }) => measured.some(({ samples: [figures] }) => figures?.[figure] !== undefined))
}

function within(name: keyof typeof most): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 1 && value <= most[name]) return value
  throw new Error(`--${name} must be a whole number from 1 to ${most[name]}.`)
}
