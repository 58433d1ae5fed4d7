// What one call costs on each tier and in each store, and what one small node carries: the figures behind
// docs/operating/capacity.md.
import { pathFor } from '#contract/route-paths.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { startReceiver } from '../../product/receiver.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Target } from '../../programs/load.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { byTool } from '../mcp/calls.ts'
import { costOf, onOneNode, type Asking, type Setting } from './rows.ts'
import { findStores } from './stores.ts'

const workspaces = 32
const keysEach = 8
const projectsEach = 60
const webhooksEach = 8
const path = pathFor(listProjects, 'api')

const costs: readonly Column[] = [
  { figure: 'gateway', title: 'gateway', digits: 0 },
  { figure: 'service', title: 'service', digits: 0 },
  { figure: 'dispatcher', title: 'dispatcher', digits: 0 },
  { figure: 'postgres', title: 'Postgres', digits: 0 },
  { figure: 'redis', title: 'Redis', digits: 0 },
  { figure: 'rabbit', title: 'RabbitMQ', digits: 0 },
  { figure: 'all', title: 'all', digits: 0 },
  { figure: 'wal', title: 'WAL bytes', digits: 0 },
]
const carried: readonly Column[] = [
  { figure: 'perSecond', title: 'calls/s', digits: 0 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 0 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 0 },
  ...costs,
]

export const capacity: Scenario = {
  name: 'capacity',
  about:
    'Calls with API keys through gateway, service and dispatcher on Postgres, Redis and RabbitMQ, one process of each. CPU in µs for each call, of every process that works for it, until its last delivery has arrived and its result is written. Postgres: the sessions of the tiers, without its background processes. Each row of each round has its own copy of one seeded database.',
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    const receiver = undo.use(await startReceiver())
    undo.defer(() => removeQueues(deployment))
    const { quiet, loud } = await seed(deployment, seeded, receiver.url)
    const setting: Setting = { deployment, seeded, receiver, stores: await findStores(), seconds }
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return {
      parts: [costing(setting, quiet, loud), node(setting, quiet)],
      facts,
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    }
  },
}

/** A key with an object that it can read. */
type Caller = { readonly headers: Readonly<Record<string, string>>; readonly projectId: string }
type Callers = { readonly quiet: readonly Caller[]; readonly loud: readonly Caller[] }

/** `loud`: of workspaces with webhooks for what is created. */
async function seed(deployment: Deployment, { url, session }: Database, receiver: string): Promise<Callers> {
  await migrate(url)
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  const wanted = { workspaces, keysEach, projectsEach, receivers: [] }
  const receivers = Array.from({ length: webhooksEach }, (_, n) => `${receiver}/${n}`)
  const quiet = await makeTenants(edge.url, deployment, wanted)
  const loud = await makeTenants(edge.url, deployment, { ...wanted, projectsEach: 1, receivers })
  // What seeding has written is not to be delivered.
  await session((query) => query('DELETE FROM outbox'))
  const callersOf = async (tokens: readonly string[]): Promise<Caller[]> => {
    const withFirst = { authorization: `Bearer ${tokens[0]}` }
    const { data } = (await (await fetch(`${edge.url}${path}?limit=1`, { headers: withFirst })).json()) as {
      data: Project[]
    }
    const projectId = data[0]?.id ?? ''
    return tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` }, projectId }))
  }
  const callers = (tenants: typeof quiet) => Promise.all(tenants.map(({ tokens }) => callersOf(tokens)))
  return { quiet: inTurn(await callers(quiet)), loud: inTurn(await callers(loud)) }
}

/** All workspaces with their first key, then all with their second: neighbours never meet in one workspace. */
const inTurn = (each: readonly (readonly Caller[])[]): Caller[] =>
  Array.from({ length: keysEach }, (_, n) => each.flatMap((callers) => callers.slice(n, n + 1))).flat()

const get = ({ headers, projectId }: Caller): Target => ({ headers, method: 'GET', path: `${path}/${projectId}` })
const list = ({ headers }: Caller): Target => ({ headers, method: 'GET', path: `${path}?limit=50` })
const create = ({ headers }: Caller): Target => ({
  headers: { ...headers, 'content-type': 'application/json' },
  method: 'POST',
  path,
  body: '{"name":"{letters}"}',
})

function costing(setting: Setting, quiet: readonly Caller[], loud: readonly Caller[]): Part {
  const asked: readonly Asking[] = [
    { name: 'read one object', targets: quiet.map(get), expect: 200 },
    { name: 'list 50', targets: quiet.map(list), expect: 200 },
    { name: 'tools/call, a list of 20', targets: quiet.map(byTool), expect: 200 },
    { name: 'create', targets: quiet.map(create), expect: 201 },
    {
      name: `create with ${webhooksEach} deliveries`,
      targets: loud.map(create),
      expect: 201,
      deliveries: webhooksEach,
    },
  ]
  return {
    title: 'What one call costs',
    about: `The tiers share one core, which the load saturates. ${workspaces * keysEach} keys of ${workspaces} workspaces.`,
    columns: costs,
    rows: asked.map((asking) => costOf(setting, asking)),
  }
}

/** As many calls at once as connections: the rate is what is left when the load has taken its share of the cores. */
function node(setting: Setting, quiet: readonly Caller[]): Part {
  const reads: Asking = { name: 'reads of one object', targets: quiet.map(get), expect: 200 }
  const lists: Asking = { name: 'lists of 50', targets: quiet.map(list), expect: 200 }
  const creates: Asking = { name: 'creates', targets: quiet.map(create), expect: 201 }
  return {
    title: 'One small node',
    about: 'Everything on the same two cores: the tiers, Postgres, Redis, RabbitMQ and what loads them.',
    columns: carried,
    rows: [reads, lists, creates].map((asking) => onOneNode(setting, asking)),
  }
}
