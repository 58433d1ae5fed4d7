// Readers that follow a workspace while it is changed: they may miss nothing.
import type { Project } from '#contract/projects.ts'
import type { Task } from '#contract/tasks.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { actingIn, headersOf, type Sender } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { following, scopes, type Setting } from './rows.ts'
import { seedChanges } from './seed.ts'
import { readers } from './readers.ts'

const changesDefault = 100_000
const changesMax = 1_000_000
const rateDefault = 200

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'changes read/s', digits: 0 },
  { figure: 'pages', title: 'pages', digits: 0 },
  { figure: 'seconds', title: 'seconds until caught up', digits: 1 },
  { figure: 'lag50', title: 'written → read, p50 ms', digits: 1 },
  { figure: 'lag99', title: 'p99 ms', digits: 1 },
  { figure: 'live', title: 'changes read live', digits: 0 },
  { figure: 'written', title: 'writes/s meanwhile', digits: 0 },
]

export const sync: Scenario = {
  name: 'sync',
  about:
    'A reader follows one workspace from its first change, 200 a page, while two service processes write to it and answer the reader in turn. In the end every object of the database must have been seen in its last version, and nothing twice: else there are no figures.',
  prepare: async ({ seconds, rows = changesDefault, rate = rateDefault }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const changes = Math.min(rows, changesMax)
    const { workspaceId, projectId } = await seed(deployment, seeded, changes)
    const facts = await serverFacts(seeded)
    const setting: Setting = { deployment, seeded, workspaceId, projectId, perSecond: rate, seconds }
    const kept = undo.move()
    return { parts: [part(setting, changes)], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

const part = (setting: Setting, changes: number): Part => ({
  title: 'Catching up, then keeping up',
  about:
    `${changes.toLocaleString('en-US')} changes are there; ${setting.perSecond} writes a second (creates, changes and deletes, in one workspace; fewer where it cannot take them) go on while the reader catches up with them and for ${setting.seconds} s more. ` +
    '*Written* is the time in the change itself, taken just before its commit: from commit to read is less. Only changes after catching up count for it.',
  columns,
  rows: readers.map((reader) => following(reader, setting)),
})

async function seed(deployment: Deployment, seeded: Database, changes: number): Promise<Task> {
  await migrate(seeded.url)
  await using service = await startService(deployment, seeded.url)
  await using gateway = await startGateway(deployment, service.url)
  const wanted = { workspaces: 1, keysEach: 1, projectsEach: 0, receivers: [] }
  const [tenant] = await makeTenants(gateway.url, deployment, wanted)
  const sender = actingIn(tenant?.workspaceId ?? '', deployment, { scopes })
  const { id: projectId } = await made<Project>(service.url, '/api/v1/projects', sender, { name: 'Bench' })
  const task = await made<Task>(service.url, '/api/v1/tasks', sender, { projectId, title: 'Bench' })
  await seedChanges(seeded, task, changes)
  return task
}

async function made<T>(origin: string, path: string, sender: Sender, body: object): Promise<T> {
  const init = {
    method: 'POST',
    headers: { ...headersOf(sender, 'POST', path), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(origin + path, init)
  if (response.status !== 201) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
