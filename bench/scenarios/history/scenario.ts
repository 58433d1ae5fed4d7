// Who did it, in a workspace with a long history: what each filter of events and audit entries costs the database, and
// what the indexes of actors cost the insert of an event.
import type { Row } from '../../measure/rounds.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { recordStatements, type RecordedStatement } from '../../product/statement-recorder.ts'
import { makeTenants, type Tenant } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { asks, deepQuery, nameOf, type List } from './asks.ts'
import { fillHistory } from './fill.ts'
import { insertParts } from './inserts.ts'
import { costOf } from './plan.ts'

const rowsDefault = 200_000
const wanted = { workspaces: 2, keysEach: 1, projectsEach: 1, receivers: [] }
const limit = 50
const msMax = 50
/** Of each row in each round; the median counts. The first finds nothing in memory. */
const timesAsked = 5

const columns: readonly Column[] = [
  { figure: 'first', title: 'first page, ms', digits: 2 },
  { figure: 'deep', title: 'deep page, ms', digits: 2 },
  { figure: 'firstPages', title: 'first page, blocks', digits: 0 },
  { figure: 'deepPages', title: 'deep page, blocks', digits: 0 },
]
const titles: Readonly<Record<List, string>> = {
  events: 'GET /events',
  'events/search': 'GET /events/search',
  'audit-entries': 'GET /audit-entries',
}

type Asked = {
  readonly list: List
  readonly name: string
  readonly first: readonly RecordedStatement[]
  readonly deep: readonly RecordedStatement[] | null
}

export const history: Scenario = {
  name: 'history',
  about: `Every filter of events and audit entries in a workspace with 200,000 of each, beside a neighbour of the same size. The statements are those that the service sent to Postgres for a page of ${limit}, put to EXPLAIN (ANALYZE, BUFFERS) once planned for these values and once for all; the slower one counts. The deep page begins where nine tenths of the history are behind it. \`half\` has half of all, \`some\` a thousandth or more, \`few\` one in 50,000, \`person\` a tenth, \`none\` nothing. \`–\`: the first page was the only one. Goal: no page of more than ${msMax} ms.`,
  prepare: async ({ rows = rowsDefault }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, database] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    await migrate(database.url)
    const { tenants, insert } = await makeWorkspaces(deployment, database)
    const [workspaceId = '', neighbourId = ''] = tenants.map((tenant) => tenant.workspaceId)
    await fillHistory(database, { workspaceId, neighbourId, rows })
    const facts = await serverFacts(database)
    const inserts = await insertParts(database, insert, undo)
    const asked = await askAll(deployment, database, workspaceId, rows)
    const lists: readonly List[] = ['events', 'events/search', 'audit-entries']
    const parts = await Promise.all(lists.map((list) => part(database, list, asked)))
    const kept = undo.move()
    return { parts: [...parts, inserts], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

/** And the statement that has written the event of a new project. */
async function makeWorkspaces(
  deployment: Deployment,
  { url }: Database,
): Promise<{ readonly tenants: readonly Tenant[]; readonly insert: RecordedStatement }> {
  await using recorder = await recordStatements(url)
  await using service = await startService(deployment, recorder.url)
  await using gateway = await startGateway(deployment, service.url)
  const tenants = await makeTenants(gateway.url, deployment, wanted)
  const insert = recorder.heard().findLast(({ sql, values }) => /INSERT INTO event\b/.test(sql) && values.length > 0)
  if (insert === undefined) throw new Error('No event was seen being written')
  return { tenants, insert }
}

async function askAll(
  deployment: Deployment,
  { url }: Database,
  workspaceId: string,
  rows: number,
): Promise<readonly Asked[]> {
  await using recorder = await recordStatements(url)
  await using service = await startService(deployment, recorder.url)
  await using gateway = await startGateway(deployment, service.url)
  const headers = { authorization: `Bearer ${deployment.operatorToken}` }
  const statementsOf = async (list: List, query: string) => {
    const path = `/settings/api/workspaces/${workspaceId}/${list}?limit=${limit}${query === '' ? '' : `&${query}`}`
    recorder.heard()
    const answer = await fetch(gateway.url + path, { headers })
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status} ${await answer.text()}`)
    return { body: (await answer.json()) as Parameters<typeof deepQuery>[1], heard: recorder.heard() }
  }
  const asked: Asked[] = []
  for (const ask of asks) {
    const first = await statementsOf(ask.list, ask.query)
    // The feed is read from the oldest event on, the others from the newest.
    const position = Math.round(rows * (ask.list === 'events' ? 0.9 : 0.1))
    const query = deepQuery(ask, first.body, position, deployment.internalSecret)
    const deep = query === null ? null : (await statementsOf(ask.list, query)).heard
    asked.push({ list: ask.list, name: nameOf(ask), first: first.heard, deep })
  }
  return asked
}

async function part(database: Database, list: List, all: readonly Asked[]): Promise<Part> {
  const asked = all.filter((each) => each.list === list)
  const ways = await database.session(async (query) => {
    const lines: string[] = []
    for (const { name, first } of asked) lines.push(`- ${name}: ${(await costOf(query, first)).ways.join(', ')}`)
    return lines
  })
  return {
    title: titles[list],
    about: `The way to the rows of the first page:\n\n${ways.join('\n')}`,
    columns,
    rows: asked.map((each) => row(database, each)),
    goals: asked.flatMap(({ name, deep }) => [
      notAbove(name, 'first'),
      ...(deep === null ? [] : [notAbove(name, 'deep')]),
    ]),
  }
}

const notAbove = (name: string, figure: 'first' | 'deep'): Goal => ({
  says: `ms of ${name}, ${figure} page,`,
  own: { row: name, figure },
  atMost: msMax,
})

const row = (database: Database, { name, first, deep }: Asked): Row => ({
  name,
  measure: () =>
    database.session(async (query) => {
      const median = async (statements: readonly RecordedStatement[]) => {
        const costs = []
        for (let time = 0; time < timesAsked; time++) costs.push(await costOf(query, statements))
        return costs.toSorted((a, b) => a.ms - b.ms)[Math.floor(timesAsked / 2)]
      }
      const [ofFirst, ofDeep] = [await median(first), deep === null ? undefined : await median(deep)]
      return {
        first: ofFirst?.ms ?? null,
        deep: ofDeep?.ms ?? null,
        firstPages: ofFirst?.pages ?? null,
        deepPages: ofDeep?.pages ?? null,
      }
    }),
})
