// What a read replica takes off Postgres: the same reads by a service without one and by a service with one.
import { until } from '../../measure/wait-until.ts'
import { freePort } from '../../measure/free-port.ts'
import { underLoad } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { actingIn } from '../../product/principal.ts'
import { readMetric } from '../../product/read-metric.ts'
import { newDeployment, replicaServer, type Deployment } from '../../product/settings.ts'
import { makeTenants, type Tenant } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'

// So many keys that none comes near its limit while the projects are made.
const wanted = { workspaces: 32, keysEach: 8, projectsEach: 500, receivers: [] }
const [alone, together] = ['without a replica', 'with a replica']
const usableWithinMs = 60_000

const columns: readonly Column[] = [
  { figure: 'postgres', title: 'Postgres µs/request', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request of the service', digits: 0, compared: true },
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]
const paths: Readonly<Record<string, string>> = {
  'List, 50 a page': '/projects?limit=50',
  'Count by status and priority': '/projects/count?groupBy=status,priority',
  Search: '/search?q=project',
}

type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly replica: string
  readonly tenants: readonly Tenant[]
  readonly seconds: number
}

export const replica: Scenario = {
  name: 'replica',
  about:
    'Reads of projects by a service that is called directly, without and with a streaming replica (`DATABASE_READ_URL`). *Postgres µs/request* is that of the primary alone: what a replica takes off it. ' +
    'Where the replica is on the same machine, the requests a second say nothing of it: it takes the processor from all others.',
  prepare: async ({ seconds }) => {
    if (replicaServer === undefined)
      return { parts: [], facts: { replica: 'DATABASE_READ_URL names none' }, [Symbol.asyncDispose]: async () => {} }
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    await migrate(seeded.url)
    const tenants = await seed(deployment, seeded)
    const name = new URL(seeded.url).pathname
    const setting = {
      deployment,
      seeded,
      replica: Object.assign(new URL(replicaServer), { pathname: name }).href,
      tenants,
      seconds,
    }
    const parts = Object.entries(paths).map(([title, path]) => part(title, path, setting))
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return { parts, facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

async function seed(deployment: Deployment, { url }: Database): Promise<Tenant[]> {
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  return await makeTenants(edge.url, deployment, wanted)
}

const part = (title: string, path: string, setting: Setting): Part => ({
  title,
  about: `${wanted.workspaces} workspaces of ${wanted.projectsEach} projects, in turn.`,
  columns,
  peer: alone,
  rows: [reading(alone, path, setting, {}), reading(together, path, setting, { DATABASE_READ_URL: setting.replica })],
})

/** All rows share one database: nothing is written. */
const reading = (
  name: string,
  path: string,
  { deployment, seeded, tenants, seconds }: Setting,
  settings: Record<string, string>,
): Row => ({
  name,
  measure: async () => {
    const metricsPort = await freePort()
    await using service = await startService(deployment, seeded.url, { ...settings, METRICS_PORT: String(metricsPort) })
    const isUsed = async () => (await readMetric(metricsPort, 'service_replica_usable')) === 1 || null
    if (name === together) await until('the replica to be used', usableWithinMs, isUsed)
    const targets = tenants.map(({ workspaceId }) => ({
      ...actingIn(workspaceId, deployment, { keyId: workspaceId }),
      method: 'GET' as const,
      path: `/api/v1${path}`,
    }))
    const watched = async () => ({ own: [service.pid], postgres: await seeded.backends() })
    return await underLoad({ url: service.url, targets, expect: 200, seconds, warmRequests: 2_000 }, watched)
  },
})
