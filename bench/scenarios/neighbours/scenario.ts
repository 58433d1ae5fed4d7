// A quiet workspace beside a noisy neighbour.
import type { ApiKey } from '#contract/api-keys.ts'
import { scopes } from '#contract/scopes.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { made } from '../../product/calls.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { fillWorkspace } from '../../product/large-workspace.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import {
  alone,
  beside,
  besideSearches,
  noisyNeighbours,
  readsPerSecond,
  writesPerSecond,
  type Searchers,
  type Setting,
} from './rows.ts'

const documents = 5
const documentBytes = 1_000_000
const timesMax = 2
/** Of each workspace that searches. All of them have the word that is searched for. */
const searched = { tasks: 200_000, documents: 1_000, crmEntities: 1_000, projects: 100 }

const columns: readonly Column[] = [
  { figure: 'read50', title: 'read p50 ms', digits: 1 },
  { figure: 'read99', title: 'read p99 ms', digits: 1, compared: true },
  { figure: 'write50', title: 'write p50 ms', digits: 1 },
  { figure: 'write99', title: 'write p99 ms', digits: 1, compared: true },
  { figure: 'sent', title: 'calls of the other key', digits: 0 },
]

export const neighbours: Scenario = {
  name: 'neighbours',
  about:
    'Reads and writes of a quiet workspace through one gateway and one service, while a key of another workspace sends the largest batches, the longest arrays, bodies a byte at a time, or reads nothing of large answers; and while two large workspaces search. Everything is within the limits that callers are told.',
  prepare: async ({ seconds }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    await migrate(seeded.url)
    const tenants = await seed(deployment, seeded.url)
    const searching = undo.use(await emptyDatabase())
    await migrate(searching.url)
    const searchers = await seedSearched(deployment, searching)
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return {
      parts: [
        part({ deployment, seeded, seconds, ...tenants }),
        ...searchParts({ deployment, seeded: searching, seconds, loud: '', ...searchers }),
      ],
      facts,
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    }
  },
}

const part = (setting: Setting): Part => ({
  title: 'A quiet workspace and a loud one',
  about: `${readsPerSecond} lists of 50 projects and ${writesPerSecond} new projects a second in the quiet workspace. Any answer but success ends the bench.`,
  columns,
  peer: alone,
  goals,
  rows: [beside(null, setting), ...noisyNeighbours.map((kind) => beside(kind, setting))],
})

const goals: Goal[] = noisyNeighbours.flatMap((kind) =>
  (['read99', 'write99'] as const).map((figure) => ({
    says: `${figure === 'read99' ? 'reads' : 'writes'} beside ${kind}, p99 over that of the same calls alone,`,
    own: { row: kind, figure },
    over: { row: alone, figure },
    atMost: timesMax,
  })),
)

async function seed(deployment: Deployment, database: string): Promise<Pick<Setting, 'quiet' | 'loud'>> {
  await using service = await startService(deployment, database)
  await using gateway = await startGateway(deployment, service.url)
  const wanted = { workspaces: 2, keysEach: 4, projectsEach: 60, receivers: [] }
  const [quiet, other] = await makeTenants(gateway.url, deployment, wanted)
  const key = await made<ApiKey & { secret: string }>(
    `${gateway.url}/settings/api/workspaces/${other?.workspaceId}/api-keys`,
    deployment.operatorToken,
    { name: 'Loud', scopes },
  )
  for (let n = 0; n < documents; n++) {
    const document = { title: `Document ${n}`, content: 'x'.repeat(documentBytes) }
    await made(`${gateway.url}/api/v1/documents`, key.secret, document)
  }
  return { quiet: quiet?.tokens ?? [], loud: key.secret }
}

type Searching = {
  readonly quiet: readonly string[]
  readonly others: readonly string[]
  readonly busy: readonly string[]
}

function searchParts({ busy, others, ...setting }: Setting & Searching): Part[] {
  const of = (title: string, about: string, quiet: readonly string[], searchers: Searchers): Part => ({
    title,
    about: `${about} ${readsPerSecond} lists of 50 projects and ${writesPerSecond} new projects a second. Those of them that are refused are counted, and are to be none; searches that are refused, for what they have cost before or because others wait, are sent again and not counted.`,
    columns: [...columns, { figure: 'refused', title: 'refused', digits: 0 }],
    peer: alone,
    rows: [besideSearches(null, { ...setting, quiet }), besideSearches(searchers, { ...setting, quiet })],
    goals: (['read99', 'write99'] as const)
      .map<Goal>((figure) => ({
        says: `${figure === 'read99' ? 'reads' : 'writes'} beside ${searchers.name}, p99 over that of the same calls alone,`,
        own: { row: searchers.name, figure },
        over: { row: alone, figure },
        atMost: timesMax,
      }))
      .concat({ says: 'calls that are refused,', own: { row: searchers.name, figure: 'refused' }, atMost: 0 }),
  })
  return [
    of(
      'Two large workspaces that search',
      `Two workspaces of ${searched.tasks.toLocaleString('en-US')} tasks, one key each, four \`GET /search?q=report\` at a time of each; the calls are those of a third workspace.`,
      setting.quiet,
      { name: 'two that search', tokens: busy, atATime: 4 },
    ),
    of(
      'One key that searches, and others of its workspace',
      `Twelve \`GET /search?q=report\` at a time of one key; the calls are those of four other keys of the same workspace, which has ${searched.tasks.toLocaleString('en-US')} tasks.`,
      others,
      { name: 'one that searches', tokens: busy.slice(0, 1), atATime: 12 },
    ),
  ]
}

async function seedSearched(deployment: Deployment, database: Database): Promise<Searching> {
  const tenants = await withTiers(deployment, database.url, async (url) => {
    const [quiet, first, second] = await makeTenants(url, deployment, {
      workspaces: 3,
      keysEach: 4,
      projectsEach: 60,
      receivers: [],
    })
    const keyOf = (workspaceId = '') =>
      made<ApiKey & { secret: string }>(
        `${url}/settings/api/workspaces/${workspaceId}/api-keys`,
        deployment.operatorToken,
        { name: 'Searching', scopes },
      )
    const busy = await Promise.all([keyOf(first?.workspaceId), keyOf(second?.workspaceId)])
    return { quiet, first, second, busy: busy.map(({ secret }) => secret) }
  })
  for (const tenant of [tenants.first, tenants.second]) {
    await fillWorkspace(database, { workspaceId: tenant?.workspaceId ?? '', ...searched })
  }
  return { quiet: tenants.quiet?.tokens ?? [], others: tenants.first?.tokens ?? [], busy: tenants.busy }
}

async function withTiers<T>(deployment: Deployment, database: string, work: (url: string) => Promise<T>): Promise<T> {
  await using service = await startService(deployment, database)
  await using gateway = await startGateway(deployment, service.url)
  return await work(gateway.url)
}
