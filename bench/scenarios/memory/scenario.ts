// Whether the memory of a service grows while it works.
import { setTimeout as after } from 'node:timers/promises'
import { operations } from '#contract/api.ts'
import type { Project } from '#contract/projects.ts'
import { memoryOver, type Memory } from '../../measure/memory.ts'
import { runProgram } from '../../measure/program.ts'
import { graceMs } from '../../measure/requests.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { actingIn, headersOf } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Plan, Result, Workspace } from '../../programs/mixed-calls.ts'
import { quantile, slope } from '../../report/figures.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'

const minutesDefault = 10
const rateDefault = 200
const lookEveryMs = 5_000
/** A tenth of the time, and at most a minute. */
const warmSecondsMax = 60
const wanted = { workspaces: 8, keysEach: 1, projectsEach: 1, receivers: [] }
const scopes = ['projects:write', 'tasks:write'] as const
const name = 'service'

const columns: readonly Column[] = [
  { figure: 'calls', title: 'calls', digits: 0 },
  { figure: 'rssSlope', title: 'RSS, MiB a minute', digits: 2 },
  { figure: 'rssFirst', title: 'first quarter', digits: 1 },
  { figure: 'rssLast', title: 'last quarter', digits: 1 },
  { figure: 'ownSlope', title: 'of its own, MiB a minute', digits: 2 },
  { figure: 'ownFirst', title: 'first quarter', digits: 1 },
  { figure: 'ownLast', title: 'last quarter', digits: 1 },
]
const flat = (figure: 'rss' | 'own', says: string): Goal => ({
  says: `flat, which is ${says} of the last quarter over the first`,
  own: { row: name, figure: `${figure}Last` },
  over: { row: name, figure: `${figure}First` },
  atMost: 1.1,
})

type Setting = {
  readonly deployment: Deployment
  readonly database: Database
  readonly workspaces: readonly Workspace[]
  readonly perSecond: number
  readonly minutes: number
}

export const memory: Scenario = {
  name: 'memory',
  about:
    'One service process under a mixed load of moderate rate for long: lists, single tasks, new and changed ones, batches, MCP tools and their list, and searches where the product has them.',
  prepare: async ({ minutes = minutesDefault, rate: perSecond = rateDefault }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, database] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const workspaces = await makeWorkspaces(deployment, database)
    const facts = await serverFacts(database)
    const setting: Setting = { deployment, database, workspaces, perSecond, minutes }
    const kept = undo.move()
    return { parts: [part(setting)], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

async function makeWorkspaces(deployment: Deployment, { url }: Database): Promise<Workspace[]> {
  await migrate(url)
  await using inner = await startService(deployment, url)
  await using edge = await startGateway(deployment, inner.url)
  const tenants = await makeTenants(edge.url, deployment, wanted)
  return await Promise.all(
    tenants.map(async ({ workspaceId }) => {
      const sender = actingIn(workspaceId, deployment, { scopes })
      const path = '/api/v1/projects'
      const response = await fetch(inner.url + path, { headers: headersOf(sender, 'GET', path) })
      const { data } = (await response.json()) as { data: Project[] }
      return {
        sender,
        mcpSender: actingIn(workspaceId, deployment, { scopes, surface: 'mcp' }),
        projectId: data[0]?.id ?? '',
      }
    }),
  )
}

const part = (setting: Setting): Part => ({
  title: 'Resident memory',
  about:
    `${setting.perSecond} calls a second over ${wanted.workspaces} workspaces for ${setting.minutes} min, after ${warmSeconds(setting.minutes)} s of warm-up; looked at every ${lookEveryMs / 1_000} s. ` +
    'Slopes are by least squares, quarters are medians in MiB. *Of its own* is memory without the files that the process maps: heap, stacks, buffers. Once, not in rounds.',
  columns,
  rows: [{ name, measure: () => measure(setting) }],
  goals: [flat('rss', 'RSS'), flat('own', 'memory of its own')],
  roundsMax: 1,
})

const warmSeconds = (minutes: number): number => Math.min(warmSecondsMax, minutes * 6)

async function measure({ deployment, database, workspaces, perSecond, minutes }: Setting): Promise<Sample> {
  await using service = await startService(deployment, database.url)
  const search = operations.some(({ http }) => http === 'GET /search')
  const seconds = warmSeconds(minutes) + minutes * 60
  const plan: Plan = { url: service.url, workspaces, search, perSecond, seconds }
  const over = new AbortController()
  const looking = after(warmSeconds(minutes) * 1_000, undefined, { signal: over.signal })
    .then(() => memoryOver(service.pid, lookEveryMs, over.signal))
    .catch(() => [])
  const calling = runProgram<Result>('mixed-calls', 'load', plan, seconds * 1_000 + graceMs)
  const { calls } = await calling.finally(() => over.abort())
  const looks = await looking
  return { calls, ...figures('rss', looks), ...figures('own', looks) }
}

function figures(of: 'rss' | 'own', looks: readonly Memory[]): Sample {
  const quarter = Math.ceil(looks.length / 4)
  const medianOf = (some: readonly Memory[]) =>
    quantile(
      some.map((look) => look[of]),
      0.5,
    )
  return {
    [`${of}Slope`]: slope(looks.map((look) => ({ x: look.minute, y: look[of] }))),
    [`${of}First`]: medianOf(looks.slice(0, quarter)),
    [`${of}Last`]: medianOf(looks.slice(-quarter)),
  }
}
