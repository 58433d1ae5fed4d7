// An integration's first day: companies, contacts and deals by batches of upserts, each batch once the one before is
// answered. The same batches come a second time, and a third with other values.
import { scopes } from '#contract/scopes.ts'
import { cpuMicros, perOne } from '../../measure/cpu.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { actingIn, headersOf } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService, type Tier } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Scenario } from '../../scenario.ts'

const rowsDefault = 5_000
const batchItems = 100
const path = '/api/v1/crm-entities/batch'

const columns: readonly Column[] = [
  { figure: 'seconds', title: 'seconds', digits: 1 },
  { figure: 'perSecond', title: 'rows/s', digits: 0 },
  { figure: 'cpu', title: 'CPU µs/row', digits: 0 },
  { figure: 'postgres', title: 'Postgres µs/row', digits: 0 },
]

type Pass = { readonly name: string; readonly changed: boolean; readonly before: readonly Pass[] }
const created: Pass = { name: 'new', changed: false, before: [] }
const passes: readonly Pass[] = [
  created,
  { name: 'as it is', changed: false, before: [created] },
  { name: 'changed', changed: true, before: [created] },
]

export const importing: Scenario = {
  name: 'import',
  about:
    'CRM entities by batches of 100 upserts, one batch after the other, sent to the service with the principal header signed as a gateway signs it: a third companies with a domain, a third contacts with an email, a third deals; the latter two name their company by its external id. Each row of each round has its own copy of one database that has seen no such object.',
  prepare: async ({ rows: asked = rowsDefault }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    const workspaceId = await makeWorkspace(deployment, seeded.url)
    const facts = await serverFacts(seeded)
    const count = Math.ceil(asked / batchItems) * batchItems
    const setting = { deployment, seeded, workspaceId, count }
    const part = {
      title: `${count.toLocaleString('en-US')} CRM entities`,
      about: 'Upserts of objects that are new, of the same ones once more, and with another name for each.',
      columns,
      rows: passes.map((pass) => row(setting, pass)),
      goals: [importsIn(5.3)],
    }
    const kept = undo.move()
    return { parts: [part], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

/** A quarter of what the same rows took before the statements of a batch were put together. */
const importsIn = (atMost: number): Goal => ({
  says: 'seconds of `new`',
  own: { row: created.name, figure: 'seconds' },
  atMost,
})

type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly workspaceId: string
  readonly count: number
}

const row = (setting: Setting, { name, changed, before }: Pass): Row => ({
  name,
  measure: async () => {
    const { deployment, seeded, count } = setting
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    // The code is warm by then.
    await sendAll(setting, inner, { source: 'warm', changed: false, count: 500 })
    for (const earlier of before) await sendAll(setting, inner, { source: 'old', changed: earlier.changed, count })
    const read = async () => ({ own: cpuMicros([inner.pid]), postgres: cpuMicros(await database.backends()) })
    const [start, from] = [performance.now(), await read()]
    await sendAll(setting, inner, { source: 'old', changed, count })
    const [seconds, to] = [(performance.now() - start) / 1_000, await read()]
    return {
      seconds,
      perSecond: count / seconds,
      cpu: perOne(from.own, to.own, count),
      postgres: perOne(from.postgres, to.postgres, count),
    } satisfies Sample
  },
})

type Sent = { readonly source: string; readonly changed: boolean; readonly count: number }

async function sendAll({ deployment, workspaceId }: Setting, { url }: Tier, { source, changed, count }: Sent) {
  const sender = actingIn(workspaceId, deployment, { scopes })
  for (let first = 0; first < count; first += batchItems) {
    const items = Array.from({ length: batchItems }, (_, n) => item(source, first + n, changed ? 'Changed ' : ''))
    const headers = { 'content-type': 'application/json', ...headersOf(sender, 'POST', path) }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ items }) })
    const { results = [] } = (await answer.json()) as { results?: { status: number }[] }
    const refused = results.find(({ status }) => status >= 400)
    if (!answer.ok || refused !== undefined)
      throw new Error(`A batch answered ${answer.status} ${JSON.stringify(refused)}`)
  }
}

function item(source: string, n: number, prefix: string) {
  const company = n - (n % 3)
  const companyId = `ext:${source}/${company}`
  const domain = `${source}${company}.example`
  const datas = [
    { kind: 'company', name: `${prefix}Company ${n}`, domains: [domain], labels: ['imported'], industry: 'Steel' },
    { kind: 'contact', firstName: `${prefix}Ada`, lastName: `Number ${n}`, emails: [`ada@${domain}`], companyId },
    { kind: 'deal', name: `${prefix}Deal ${n}`, companyId, stage: 'new', amount: { amount: '12.50', currency: 'EUR' } },
  ]
  return { action: 'upsert', externalSource: source, externalId: String(n), data: datas[n % 3] }
}

async function makeWorkspace(deployment: Deployment, database: string): Promise<string> {
  await migrate(database)
  await using inner = await startService(deployment, database)
  await using edge = await startGateway(deployment, inner.url)
  const wanted = { workspaces: 1, keysEach: 1, projectsEach: 0, receivers: [] }
  const [tenant] = await makeTenants(edge.url, deployment, wanted)
  return tenant?.workspaceId ?? ''
}
