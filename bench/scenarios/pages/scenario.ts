// A page of fifty out of a large table: the first one, and one far from the beginning.
import { underLoad } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { actingIn, headersOf } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { recordStatements } from '../../product/statement-recorder.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { planOf } from './plan.ts'
import { deepIn, listings, type Listing, type Where } from './queries.ts'
import { seedTasks, type Seeded } from './seed.ts'

const rowsDefault = 10_000_000
const wanted = { workspaces: 10, keysEach: 1, projectsEach: 10, receivers: [] }
const limit = 50
/** So few that a page does not wait for others. */
const connections = 4
const [first, deep] = ['first page', 'deep page']

const columns: readonly Column[] = [
  { figure: 'p50Ms', title: 'p50 ms', digits: 2, compared: true },
  { figure: 'p99Ms', title: 'p99 ms', digits: 2 },
  { figure: 'postgres', title: 'Postgres µs/request', digits: 0, compared: true },
  { figure: 'perSecond', title: 'requests/s', digits: 0 },
]
const costsNoMore = (figure: string, name: string): Goal => ({
  says: `${name} of the deep page over the first`,
  own: { row: deep, figure },
  over: { row: first, figure },
  atMost: 1.5,
})

type Setting = Where & { readonly seconds: number }

export const pages: Scenario = {
  name: 'pages',
  about:
    `A page of ${limit} tasks through the service on a large table, the first one and one nine tenths of the way in; the service is called directly, with a principal header signed by the bench. ` +
    `The table is only read: all rows of all rounds share it. ${connections} connections; deep pages are 16 that follow each other, in turn. Each part names the plan of the very statements that the service sent.`,
  prepare: async ({ seconds, rows = rowsDefault }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, database] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const [workspaceId = ''] = await makeWorkspaces(deployment, database)
    const seeded = await seedTasks(database, wanted.workspaces, rows)
    const setting: Setting = { database, workspaceId, deployment, limit, seconds }
    const parts: Part[] = []
    for (const listing of listings) parts.push(await part(listing, setting))
    const facts = { ...(await serverFacts(database)), ...seedFacts(seeded, rows) }
    const kept = undo.move()
    return { parts, facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

async function makeWorkspaces(deployment: Deployment, { url }: Database): Promise<string[]> {
  await migrate(url)
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  return (await makeTenants(edge.url, deployment, wanted)).map(({ workspaceId }) => workspaceId)
}

const seedFacts = ({ seconds, bytes, leftOut }: Seeded, rows: number): Record<string, string> => ({
  table: `${rows.toLocaleString('en-US')} tasks in ${wanted.workspaces} workspaces, ${(bytes / 2 ** 30).toFixed(1)} GiB with indexes, seeded in ${Math.round(seconds)} s`,
  ...(leftOut.length > 0 && { 'left out': `${leftOut.join(', ')}: no part of these lists, and too long to build` }),
})

async function part(listing: Listing, setting: Setting): Promise<Part> {
  const { database, deployment } = setting
  await using recorder = await recordStatements(database.url)
  await using service = await startService(deployment, recorder.url)
  const sender = reading(setting)
  const ask = async <T>(below: string): Promise<T> => {
    const path = `/api/v1${below}`
    const response = await fetch(service.url + path, { headers: headersOf(sender, 'GET', path) })
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const { rowsIn, cursors } = await deepIn(listing, setting, ask)
  const path = `/tasks?${listing.search}&limit=${limit}`
  const planned = async (asked: string): Promise<string> => {
    recorder.heard()
    await ask(asked)
    const heard = recorder.heard().find(({ sql }) => sql.includes('FROM task t') && sql.includes(workspaceColumn))
    return heard === undefined ? 'not seen' : await planOf(database, heard)
  }
  const plans = [await planned(path), await planned(`${path}&cursor=${cursors[0]}`)]
  return {
    title: listing.search,
    about: `The deep page is ${rowsIn.toLocaleString('en-US')} rows in. Plan of the first: ${plans[0]}. Of the deep: ${plans[1]}.`,
    columns,
    peer: first,
    rows: [
      row(first, [path], setting),
      row(
        deep,
        cursors.map((cursor) => `${path}&cursor=${cursor}`),
        setting,
      ),
    ],
    goals: [costsNoMore('p50Ms', 'p50'), costsNoMore('postgres', 'Postgres µs')],
  }
}

const workspaceColumn = 't.workspace_id = $1'
const reading = ({ workspaceId, deployment }: Setting) => actingIn(workspaceId, deployment, { scopes: ['tasks:read'] })

const row = (name: string, paths: readonly string[], setting: Setting): Row => ({
  name,
  measure: async () => {
    const { database, deployment, seconds } = setting
    await using service = await startService(deployment, database.url)
    const sender = reading(setting)
    const targets = paths.map((path) => ({ ...sender, method: 'GET' as const, path: `/api/v1${path}` }))
    const watched = async () => ({ own: [service.pid], postgres: await database.backends() })
    return await underLoad({ url: service.url, targets, expect: 200, connections, seconds }, watched)
  },
})
