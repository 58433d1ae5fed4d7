// Tables with enough rows that reading one from end to end would show: 20,000 of each kind, in four workspaces.
import { v7 as uuid } from 'uuid'
import type { TSchema } from 'typebox'
import type { Database } from '#prisma/client.ts'
import { type Call, openCall } from '../../../service/execution/call.ts'
import type { Collection } from '../../../service/collection/definition.ts'
import { crmEntities } from '../../../service/crm-entities/collection.ts'
import { documents } from '../../../service/documents/collection.ts'
import { projects } from '../../../service/projects/collection.ts'
import { tasks } from '../../../service/tasks/collection.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { freshDatabase } from '../../support/database.ts'
import { principalWith } from '../../support/principal-headers.ts'
import { sample } from '../../support/sample-value.ts'

export type LargeTables = AsyncDisposable & {
  readonly db: Database
  readonly call: Call
  readonly rows: Readonly<Record<string, number>>
  readonly collections: Readonly<Record<string, Collection>>
  /** A value for a parameter that some rows have. */
  readonly sampleOf: (parameter: string, schema: TSchema | undefined) => unknown
}

const workspaces = 4
const rowsEach = 5_000
const tables = ['project', 'task', 'crm_entity', 'document', 'task_assignee', 'project_member', 'crm_domain'] as const

type Size = {
  /** Whether the planner knows how many rows there are. */
  readonly analyze?: boolean
  /** Documents of the workspace of `call`. */
  readonly most?: number
}
const allTables = [...tables, 'project_search', 'task_search', 'crm_entity_search', 'document_search']

export async function largeTables({ analyze = true, most = rowsEach }: Size = {}): Promise<LargeTables> {
  const database = await freshDatabase('postgres')
  const { db } = database
  const ids = await Promise.all(
    Array.from({ length: workspaces }, async () => (await db.workspace.create({ data: workspaceRow() })).id),
  )
  for (const table of allTables) await db.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
  for (const id of ids) await fill(db, id)
  const workspaceId = ids[1] ?? ''
  if (most > rowsEach) await addDocuments(db, workspaceId, rowsEach + 1, most)
  for (const table of analyze ? allTables : []) await db.$executeRawUnsafe(`ANALYZE ${table}`)
  const counted = await Promise.all(tables.map(async (table) => [table, await countOf(db, table)] as const))
  return {
    db,
    rows: Object.fromEntries(counted),
    collections: { projects, tasks, 'crm-entities': crmEntities, documents } as unknown as LargeTables['collections'],
    call: openCall(db, principalWith({ workspaceId }), { now: new Date(), hasCustomFields: true, quotaRoom: null })
      .call,
    sampleOf: (parameter, schema) => samples[parameter] ?? (parameter.endsWith('Id') ? [uuid()] : sample(schema ?? {})),
    [Symbol.asyncDispose]: () => database.close(),
  }
}

const samples: Readonly<Record<string, unknown>> = {
  q: 'thing 12',
  ids: [uuid()],
  labels: ['l7'],
  labelsAll: ['l7'],
  tags: ['l7'],
  tagsAll: ['l7'],
  folder: ['handbook'],
  domain: ['thing12.example'],
  email: ['nobody@thing12.example'],
  customFields: { size: { eq: ['7'], gte: '1', lte: '9' } },
}

/** Names that most workspaces share, values that repeat, links to a handful of members. */
async function fill(db: Database, workspaceId: string): Promise<void> {
  const ws = `'${workspaceId}'::uuid`
  const by = `'{"type":"system","id":"t","name":"T"}'::jsonb`
  const times = `now() - n * interval '1 minute', now() - n * interval '1 minute', ${by}, ${by}`
  const stamps = 'version, created_at, updated_at, created_by, updated_by'
  const series = `generate_series(1, ${rowsEach}) AS n`
  const statements = [
    `INSERT INTO custom_field (workspace_id, id, key, target, type, label, options, required, ${stamps})
     SELECT ${ws}, gen_random_uuid(), 'size', target, 'number', 'Size', '{}', false, 1, now(), now(), ${by}, ${by}
     FROM unnest(ARRAY['project', 'task', 'company', 'contact', 'deal']) AS target`,
    `INSERT INTO member (workspace_id, id, name, email, role, status, ${stamps})
     SELECT ${ws}, gen_random_uuid(), 'M' || n, 'm' || n || '@example.com', 'member', 'active', 1, ${times}
     FROM generate_series(1, 50) AS n`,
    `INSERT INTO crm_entity (workspace_id, id, kind, name, labels, phones, custom_fields, ${stamps})
     SELECT ${ws}, gen_random_uuid(), 'company', 'Thing ' || n, ARRAY['l' || n % 50], '{}',
       jsonb_build_object('size', n % 20), 1, ${times} FROM ${series}`,
    `INSERT INTO crm_domain (workspace_id, domain, crm_entity_id, position)
     SELECT ${ws}, replace(lower(name), ' ', '') || '.example', id, 1 FROM crm_entity WHERE workspace_id = ${ws}`,
    `INSERT INTO project (workspace_id, id, key, name, status, priority, labels, due_date, custom_fields, ${stamps})
     SELECT ${ws}, gen_random_uuid(), translate(lpad(n::text, 6, '0'), '0123456789', 'ABCDEFGHIJ'), 'Thing ' || n,
       'active', 'none', ARRAY['l' || n % 50], current_date + n % 100, jsonb_build_object('size', n % 20), 1, ${times}
     FROM ${series}`,
    `INSERT INTO task (workspace_id, id, project_id, number, title, status, priority, labels, due_date, position,
       custom_fields, ${stamps})
     SELECT ${ws}, gen_random_uuid(), (SELECT id FROM project WHERE workspace_id = ${ws} ORDER BY id OFFSET n % 20 LIMIT 1),
       n, 'Thing ' || n, 'todo', 'none', ARRAY['l' || n % 50], current_date + n % 100, n,
       jsonb_build_object('size', n % 20), 1, ${times} FROM ${series}`,
    `INSERT INTO task_assignee (workspace_id, task_id, member_id, position)
     SELECT ${ws}, t.id, m.id, 1 FROM (SELECT id, number FROM task WHERE workspace_id = ${ws}) t
     JOIN (SELECT id, row_number() OVER () AS n FROM member WHERE workspace_id = ${ws}) m ON m.n = t.number % 50 + 1`,
    `INSERT INTO project_member (workspace_id, project_id, member_id, position)
     SELECT ${ws}, p.id, m.id, 1 FROM (SELECT id, row_number() OVER () AS n FROM project WHERE workspace_id = ${ws}) p
     JOIN (SELECT id, row_number() OVER () AS n FROM member WHERE workspace_id = ${ws}) m ON m.n = p.n % 50 + 1`,
  ]
  for (const statement of statements) await db.$executeRawUnsafe(statement)
  await addDocuments(db, workspaceId, 1, rowsEach)
}

async function addDocuments(db: Database, workspaceId: string, from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO document (workspace_id, id, title, content, tags, status, word_count, checksum, version, created_at,
      updated_at, created_by, updated_by)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), 'Thing ' || n, 'Text ' || n, ARRAY['l' || n % 50], 'draft', 2, 'c', 1,
      now() - n * interval '1 minute', now() - n * interval '1 minute', '{}', '{}'
    FROM generate_series(${from}::int, ${to}::int) AS n`
}

async function countOf(db: Database, table: string): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ count: bigint }[]>(`SELECT count(*) AS count FROM ${table}`)
  return Number(row?.count)
}
