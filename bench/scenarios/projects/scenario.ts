// The service on Postgres: a page of projects, and a new project with its event, beside the same statements by hand.
import { connections } from '../../measure/requests.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants, type Tenant } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { bare, pgAlone, proxied, service, whole, type Asking, type Setting } from './rows.ts'
import { assertSameStatements } from './statements.ts'

// Changes of one workspace run one at a time, those of several do not. There are enough workspaces and keys that no
// rate limit refuses a call.
const wanted = { workspaces: 32, keysEach: 4, projectsEach: 100, receivers: [] }
const pageItems = 50
const peer = 'fastify + pg'
const throughReplyFrom = 'reply-from + service'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request', digits: 0, compared: true },
  { figure: 'proxy', title: 'of it the proxy', digits: 0 },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'postgres', title: 'Postgres µs/request', digits: 0, compared: true },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

const list: Asking = {
  expect: 200,
  target: (sender) => ({ ...sender, method: 'GET', path: `/api/v1/projects?limit=${pageItems}` }),
}
const create: Asking = {
  expect: 201,
  target: (sender) => ({
    ...sender,
    method: 'POST',
    path: '/api/v1/projects',
    headers: { 'content-type': 'application/json', ...sender.headers },
    body: '{"name":"{letters}"}',
  }),
}

const throughput = (atLeast: number): Goal => ({
  says: `requests/s of \`service\` over \`${peer}\``,
  own: { row: 'service', figure: 'perSecond' },
  over: { row: peer, figure: 'perSecond' },
  atLeast,
})

const cost = (atMost: number): Goal => ({
  says: `CPU of \`service\` over that of \`${peer}\``,
  own: { row: 'service', figure: 'cpu' },
  over: { row: peer, figure: 'cpu' },
  atMost,
})

/** A proxy that knows nothing is to add hardly less than the gateway. */
const gatewayAdds = (atMost: number): Goal => ({
  says: `What the gateway adds to the CPU of \`service\` over what \`reply-from\` adds`,
  own: { row: 'gateway + service', figure: 'cpu' },
  over: { row: throughReplyFrom, figure: 'cpu' },
  lessOfBoth: { row: 'service', figure: 'cpu' },
  atMost,
})

export const projects: Scenario = {
  name: 'projects',
  about:
    'Projects through the service on Postgres. `service` is called directly, with the principal header signed by the bench as a gateway signs it. ' +
    '`gateway + service` is the whole way with an API key, `reply-from + service` the way of signed calls through a proxy that knows nothing, both processes on the measured core; CPU is that of both. Each row of each round has its own copy of one seeded database.',
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const tenants = await seed(deployment, seeded)
    await assertSameStatements(deployment, seeded, tenants[0]?.workspaceId ?? '', pageItems)
    const setting: Setting = { deployment, seeded, tenants, seconds }
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return { parts: [listing(setting), creating(setting)], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

async function seed(deployment: Deployment, { url }: Database): Promise<Tenant[]> {
  await migrate(url)
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  return await makeTenants(edge.url, deployment, wanted)
}

const listing = (setting: Setting): Part => ({
  title: `List, ${pageItems} a page`,
  about:
    `The newest page of a workspace, ${connections} connections over ${wanted.workspaces} workspaces of ${wanted.projectsEach} projects. ` +
    'The peer runs the same prepared statement and serialises the rows.',
  goals: [throughput(0.6), cost(1.15), gatewayAdds(1.15)],
  columns,
  peer,
  rows: [
    whole(setting, list),
    proxied(throughReplyFrom, setting, list),
    service(setting, list),
    bare(peer, setting, list),
  ],
})

const creating = (setting: Setting): Part => ({
  title: 'Create',
  about:
    `Only a name is given, ${connections} connections over ${wanted.workspaces} workspaces. The peer runs the same transaction (turn of the workspace, row that draws its key, event with its number and outbox marker); ` +
    '`pg alone` does so in a loop without HTTP. The service also checks input and answer and publishes the event.',
  goals: [throughput(0.65), cost(1.8)],
  columns,
  peer,
  rows: [
    whole(setting, create),
    proxied(throughReplyFrom, setting, create),
    service(setting, create),
    bare(peer, setting, create),
    pgAlone(setting),
  ],
})
