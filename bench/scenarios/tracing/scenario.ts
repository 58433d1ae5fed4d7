// What it costs to export traces: the gateway in front of an origin that answers from memory, and the service on
// Postgres, each without a collector, with one trace in a hundred and with all of them.
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { makeKey } from '../../product/keys.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants, type Tenant } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import { connections } from '../../measure/requests.ts'
import { serveProgram } from '../../measure/program.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { creating, reading } from './rows.ts'

// Enough keys, and enough workspaces, that no limit refuses a call.
const keyCount = 4_096
const wanted = { workspaces: 32, keysEach: 4, projectsEach: 10, receivers: [] }
const off = 'no collector'
const few = '1 % exported'
const all = '100 % exported'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request', digits: 1, compared: true },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

const goal: Goal = {
  says: `CPU of \`${few}\` over that of \`${off}\``,
  own: { row: few, figure: 'cpu' },
  over: { row: off, figure: 'cpu' },
  atMost: 1.03,
}

/** The settings of each row. */
const rowsOf = (collector: string): readonly [string, Record<string, string>][] => {
  const exported = (ratio: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  })
  return [
    [off, {}],
    [few, exported('0.01')],
    [all, exported('1')],
  ]
}

export const tracing: Scenario = {
  name: 'tracing',
  about:
    'The same processes without a collector of traces, with one trace in a hundred exported to a collector that keeps nothing, and with all. The collector runs on the core of the load.',
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const keys = Array.from({ length: keyCount }, () => makeKey())
    const records = Object.fromEntries(keys.map(({ hash, record }) => [hash, record]))
    const origin = await serveProgram('origin', 'load', { keys: records } satisfies Origin)
    undo.defer(origin.stop)
    const collector = await serveProgram('collector', 'load', {})
    undo.defer(collector.stop)
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const tenants = await seed(deployment, seeded)
    const rows = rowsOf(collector.url)
    const edge = part(
      'GET through the gateway',
      `As in the scenario \`gateway\`: ${keyCount} keys, ${connections} connections.`,
      rows.map(([name, settings]) => reading(name, settings, { keys, origin: origin.url, seconds })),
    )
    const inner = part(
      'Create in the service',
      'As in the scenario `projects`: the service alone, called with signed principals. A sampled create has a span for each statement.',
      rows.map(([name, settings]) => creating(name, settings, { deployment, seeded, tenants, seconds })),
    )
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return { parts: [edge, inner], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

const part = (title: string, about: string, rows: Part['rows']): Part => ({
  title,
  about,
  columns,
  rows,
  peer: off,
  goals: [goal],
})

async function seed(deployment: Deployment, { url }: Database): Promise<Tenant[]> {
  await migrate(url)
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  return await makeTenants(edge.url, deployment, wanted)
}
