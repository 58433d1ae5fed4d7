// MCP beside HTTP and beside the SDK alone; a batch beside as many calls; and what the list of tools costs a model.
import { scopes } from '#contract/scopes.ts'
import { connections, underLoad } from '../../measure/requests.ts'
import { serveProgram } from '../../measure/program.ts'
import type { Row } from '../../measure/rounds.ts'
import { removeQueues } from '../../product/broker.ts'
import { made } from '../../product/calls.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { actingIn } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants, type Tenant } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Plan as SdkMcp } from '../../programs/sdk-mcp.ts'
import type { Sample, Column } from '../../report/table.ts'
import type { Goal } from '../../report/goals.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { whole, type Setting } from '../projects/rows.ts'
import { byBatch, byFullTool, byHttp, byOlderTool, byTool, pageItems } from './calls.ts'
import { listedTokens } from './tokens.ts'
import { mcpBatchCallsMax } from '#contract/faults/json-rpc.ts'

// Enough keys that no rate limit refuses a call: each entry of a batch counts as one.
const wanted = { workspaces: 32, keysEach: 16, projectsEach: 40, receivers: [] }
const sdk = 'SDK alone'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'calls/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/call', digits: 0, compared: true },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'postgres', title: 'Postgres µs/call', digits: 0 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

const atLeast = (own: string, over: string, least: number): Goal => ({
  says: `calls/s of \`${own}\` over \`${over}\``,
  own: { row: own, figure: 'perSecond' },
  over: { row: over, figure: 'perSecond' },
  atLeast: least,
})

const atMostTheCpu = (own: string, over: string, most: number): Goal => ({
  says: `CPU of \`${own}\` over that of \`${over}\``,
  own: { row: own, figure: 'cpu' },
  over: { row: over, figure: 'cpu' },
  atMost: most,
})

export const mcp: Scenario = {
  name: 'mcp',
  about: `\`projects.list\` by MCP: ${pageItems} projects with all their fields. Each row of each round has its own copy of one seeded database.`,
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const { tenants, tokens } = await seed(deployment, seeded)
    const setting: Setting = { deployment, seeded, tenants, seconds }
    const facts = { ...(await serverFacts(seeded)), ...tokens }
    const kept = undo.move()
    const parts = [besideHttp(setting), besideSdk(setting), batches(setting)]
    return { parts, facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

async function seed(deployment: Deployment, { url }: Database) {
  await migrate(url)
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  const tenants = await makeTenants(edge.url, deployment, wanted)
  const keys = `${edge.url}/settings/api/workspaces/${tenants[0]?.workspaceId}/api-keys`
  const { secret } = await made<{ secret: string }>(keys, deployment.operatorToken, { name: 'All', scopes })
  return { tenants, tokens: await listedTokens(edge.url, secret) }
}

const besideHttp = (setting: Setting): Part => ({
  title: 'Through the gateway, beside the same GET',
  about: `Gateway and service on the measured core, ${connections} connections over ${wanted.workspaces} workspaces. \`full\`: with all the fields that HTTP answers, which a model must ask for.`,
  goals: [atLeast('tools/call', 'GET', 0.7), atMostTheCpu('tools/call', 'GET', 1.15)],
  columns,
  peer: 'GET',
  rows: [
    { ...whole(setting, { expect: 200, target: byTool }), name: 'tools/call' },
    { ...whole(setting, { expect: 200, target: byFullTool }), name: 'tools/call, full' },
    { ...whole(setting, { expect: 200, target: byHttp }), name: 'GET' },
  ],
})

const besideSdk = (setting: Setting): Part => ({
  title: 'The service, beside the SDK alone',
  about:
    'The service is called directly, with the principal header signed by the bench, and writes its audit log. The peer is the SDK’s own handler with one tool, with one equal tool: the same arguments, columns, rows of text and structured content, on the same database, without policy.',
  goals: [atLeast('service', sdk, 0.8)],
  columns,
  peer: sdk,
  rows: [service(setting), sdkAlone(setting)],
})

const batches = (setting: Setting): Part => ({
  title: `A batch of ${mcpBatchCallsMax}, beside as many calls`,
  about: 'Through the gateway, as clients before 2026-07-28 call. The times of a batch are those of the whole of it.',
  columns,
  peer: 'single calls',
  rows: [
    { name: 'batches', measure: async () => each(await whole(setting, { expect: 200, target: byBatch }).measure()) },
    { ...whole(setting, { expect: 200, target: byOlderTool }), name: 'single calls' },
  ],
})

/** A batch's figures for each of its calls. */
function each(sample: Sample): Sample {
  const divided = (figure: 'cpu' | 'postgres') => {
    const of = sample[figure] ?? null
    return { [figure]: of === null ? null : of / mcpBatchCallsMax }
  }
  const perSecond = (sample['perSecond'] ?? 0) * mcpBatchCallsMax
  return { ...sample, perSecond, ...divided('cpu'), ...divided('postgres') }
}

const service = ({ deployment, seeded, tenants, seconds }: Setting): Row => ({
  name: 'service',
  measure: async () => {
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    const targets = tenants.map(({ workspaceId, keyIds: [keyId] }: Tenant) =>
      byTool(actingIn(workspaceId, deployment, { surface: 'mcp', keyId })),
    )
    const watched = async () => ({ own: [inner.pid], postgres: await database.backends() })
    return await underLoad({ url: inner.url, targets, expect: 200, seconds }, watched)
  },
})

const sdkAlone = ({ seeded, tenants, seconds }: Setting): Row => ({
  name: sdk,
  measure: async () => {
    await using database = await seeded.copy()
    await using server = await serveProgram('sdk-mcp', 'measured', { database: database.url } satisfies SdkMcp)
    const targets = tenants.map(({ workspaceId }) => byTool({ headers: { 'x-workspace-id': workspaceId } }))
    const watched = async () => ({ own: [server.pid], postgres: await database.backends() })
    return await underLoad({ url: server.url, targets, expect: 200, seconds }, watched)
  },
})
