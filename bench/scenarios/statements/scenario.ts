// What the database needs for everything that can be asked of the lists and counts of a large workspace.
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { collectionSegments, scopes, type CollectedSegment } from '#contract/scopes.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts, type Database } from '../../product/database.ts'
import { analyze, fillWorkspace } from '../../product/large-workspace.ts'
import { actingIn, headersOf } from '../../product/principal.ts'
import { newDeployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService, type Tier } from '../../product/tiers.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { asksOf, asksOfLedgers, type Ask, type Ids } from './asks.ts'

const collected = [...collectionSegments, 'comments'] as const
const tasksDefault = 200_000
const msMax = 300
/** The first finds nothing in memory. */
const timesAsked = 2

const columns: readonly Column[] = [
  { figure: 'after', title: 'ms after ANALYZE', digits: 0 },
  { figure: 'before', title: 'ms before', digits: 0 },
]

export const statements: Scenario = {
  name: 'statements',
  about: `Database time, as the service tells it to the gateway, of every filter, order and count of a workspace of 200,000 tasks, 40,000 documents and 40,000 CRM entities, and of its 200,000 events, deliveries, comments and entries of the audit log, from the contract. Each row is the slowest of its values in any order, or by any group; none is to take more than ${msMax} ms. Before ANALYZE is the moment after an import: a service analyzes what has grown within 15 seconds. \`–\` is what the read time-out has ended.`,
  prepare: async ({ rows = tasksDefault }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const deployment = newDeployment()
    const filled = undo.use(await emptyDatabase())
    undo.defer(() => removeQueues(deployment))
    await migrate(filled.url)
    const workspaceId = await makeWorkspace(deployment, filled.url)
    const others = Math.ceil(rows / 5)
    await fillWorkspace(filled, {
      workspaceId,
      tasks: rows,
      documents: others,
      crmEntities: others,
      projects: Math.ceil(rows / 100),
      ledgers: rows,
    })
    const ids = await idsOf(filled, workspaceId)
    // A copy does not know how many rows were written: no service analyzes it by itself.
    const [before, after] = [undo.use(await filled.copy()), undo.use(await filled.copy())]
    await analyze(after)
    const facts = await serverFacts(after)
    const asked: Asked = {
      before: undo.use(await startService(deployment, before.url)),
      after: undo.use(await startService(deployment, after.url)),
      sender: actingIn(workspaceId, deployment, { scopes }),
    }
    const parts = [
      ...collected.map((segment) => part(segment, asksOf(segment, ids[segment]), asked)),
      part('ledgers', asksOfLedgers(await idsOfLedgers(filled, workspaceId)), asked),
    ]
    const kept = undo.move()
    return { parts, facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

type Asked = { readonly before: Tier; readonly after: Tier; readonly sender: ReturnType<typeof actingIn> }

const part = (title: string, asks: readonly Ask[], asked: Asked): Part => ({
  title,
  about: `${asks.reduce((sum, { paths }) => sum + paths.length, 0)} calls, ${timesAsked} times each; the quicker one counts.`,
  columns,
  rows: asks.map((ask) => row(ask, asked)),
  goals: asks.flatMap(({ name }) =>
    columns.map(({ figure, title }) => ({ says: `${name}, ${title},`, own: { row: name, figure }, atMost: msMax })),
  ),
})

const row = ({ name, paths }: Ask, asked: Asked): Row => ({
  name,
  measure: async () => ({
    after: await slowest(asked.after, paths, asked),
    before: await slowest(asked.before, paths, asked),
  }),
})

/** Null where the database needed longer than a read may take. */
async function slowest({ url }: Tier, paths: readonly string[], { sender }: Asked): Promise<number | null> {
  let most = 0
  for (const below of paths) {
    const path = `/api/v1${below}`
    let least = Number.POSITIVE_INFINITY
    for (let time = 0; time < timesAsked; time++) {
      const answer = await fetch(url + path, { headers: headersOf(sender, 'GET', path) })
      const body = await answer.text()
      if (answer.status === 503) {
        console.error(`${path} took too long`)
        return null
      }
      if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status} ${body}`)
      least = Math.min(least, Number(answer.headers.get(databaseTimeHeader) ?? 0))
    }
    if (least > msMax) console.error(`${path} took ${least} ms`)
    most = Math.max(most, least)
  }
  return most
}

async function makeWorkspace(deployment: ReturnType<typeof newDeployment>, database: string): Promise<string> {
  await using service = await startService(deployment, database)
  await using gateway = await startGateway(deployment, service.url)
  const wanted = { workspaces: 1, keysEach: 1, projectsEach: 0, receivers: [] }
  const [tenant] = await makeTenants(gateway.url, deployment, wanted)
  return tenant?.workspaceId ?? ''
}

/** For each parameter that takes ids, the one that most objects have and one that few have. */
async function idsOf(database: Database, workspaceId: string): Promise<Readonly<Record<CollectedSegment, Ids>>> {
  return database.session(async (query) => {
    const ids = async (table: string, column: string) => {
      const counted = `SELECT ${column} AS id, count(*) FROM ${table} WHERE workspace_id = $1 AND ${column} IS NOT NULL GROUP BY 1`
      const rows = await query<{ id: string }>(
        `(${counted} ORDER BY 2 DESC LIMIT 1) UNION ALL (${counted} ORDER BY 2 LIMIT 1)`,
        [workspaceId],
      )
      return rows.map(({ id }) => id)
    }
    return {
      projects: {
        ids: await ids('project', 'id'),
        ownerId: await ids('project', 'owner_id'),
        memberId: await ids('member', 'id'),
        companyId: await ids('project', 'company_id'),
      },
      tasks: {
        ids: await ids('task', 'id'),
        projectId: await ids('task', 'project_id'),
        assigneeId: await ids('task_assignee', 'member_id'),
        parentTaskId: await ids('task', 'parent_task_id'),
        blockedById: [],
        crmEntityId: await ids('task_crm_entity', 'crm_entity_id'),
        fileId: await ids('task_file', 'file_id'),
      },
      'crm-entities': {
        ids: await ids('crm_entity', 'id'),
        ownerId: await ids('crm_entity', 'owner_id'),
        companyId: await ids('crm_entity', 'company_id'),
        parentCompanyId: await ids('crm_entity', 'id'),
        contactId: [],
        fileId: await ids('crm_entity_file', 'file_id'),
      },
      documents: {
        ids: await ids('document', 'id'),
        projectId: await ids('document', 'project_id'),
        crmEntityId: await ids('document', 'crm_entity_id'),
        fileId: await ids('document_file', 'file_id'),
      },
      comments: {
        ids: await ids('comment', 'id'),
        taskId: await ids('comment', 'task_id'),
        projectId: await ids('project', 'id'),
        crmEntityId: await ids('crm_entity', 'id'),
        fileId: await ids('comment_file', 'file_id'),
      },
    }
  })
}

/** The task with the comments, a webhook that half of the deliveries are of and one of few, an event. */
async function idsOfLedgers(database: Database, workspaceId: string): Promise<Ids> {
  return database.session(async (query) => {
    const ids = async (text: string) => (await query<{ id: string }>(text, [workspaceId])).map(({ id }) => id)
    return {
      id: await ids('SELECT task_id AS id FROM comment WHERE workspace_id = $1 LIMIT 1'),
      webhookId: await ids('SELECT id FROM webhook WHERE workspace_id = $1 ORDER BY created_at LIMIT 2'),
      resourceId: await ids('SELECT resource_id AS id FROM event WHERE workspace_id = $1 ORDER BY sequence LIMIT 1'),
      eventId: await ids('SELECT event_id AS id FROM delivery WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1'),
    }
  })
}
