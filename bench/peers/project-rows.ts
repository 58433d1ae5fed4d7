// The statements that the service sends to Postgres for a page of projects and for a new one, without a service around
// them, prepared once per connection as the service does. scenarios/projects/statements.ts checks that they are the
// same.
import { types, type Pool, type PoolClient } from 'pg'
import { v7 as uuid } from 'uuid'
import type { Actor } from '#contract/shared-fields.ts'
import { letters } from '../measure/random-letters.ts'

const actor: Actor = { type: 'api_key', id: 'bench', name: 'Bench' }

/** As many as the service's pool has. */
export const poolSize = 10

// A date has no time zone: it stays the text that it is. Times become text where the row is serialised.
types.setTypeParser(types.builtins.DATE, (day) => day)

/** One more row than the page tells whether there is a next one. */
export async function listProjects(pool: Pool, workspaceId: string, limit: number): Promise<object> {
  const { rows } = await pool.query<{ id: string; createdAt: Date }>({
    name: `list ${limit}`,
    text: listText(limit),
    values: [workspaceId],
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit
  const nextCursor = hasMore && last ? `${last.createdAt.toISOString()}.${last.id}` : null
  for (const row of shown) Object.assign(row, { object: 'project' })
  return { data: shown, page: { limit, nextCursor, hasMore } }
}

/** The same rows with these fields alone, as a tool reads them. */
export async function listProjectFields(pool: Pool, workspaceId: string, named: readonly string[], limit: number) {
  const shown = fields.filter((field) => named.includes(field) || neededToShow.has(field))
  const text = `SELECT ${selected(shown)} ${listedFrom(limit)}`
  const { rows } = await pool.query<object>({ name: `fields ${limit}`, text, values: [workspaceId] })
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** For the cursor, and for deleted rows, which are shown as such. */
const neededToShow = new Set(['createdAt', 'deletedAt'])

/** The workspace lock, the project, its event and the outbox row, in one transaction. */
export async function createProject(pool: Pool, workspaceId: string, name: string): Promise<object> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const project = await written(client, workspaceId, name)
    await client.query('COMMIT')
    return project
  } finally {
    client.release()
  }
}

async function written(client: PoolClient, workspaceId: string, name: string): Promise<object> {
  const [turn] = (await client.query<{ now: Date }>({ name: 'turn', text: turnText, values: [workspaceId] })).rows
  const now = turn?.now ?? new Date()
  const row = draft(workspaceId, name, now)
  const keys = [3, 4, 5].map((length) => name.slice(0, length)).concat(Array.from({ length: 5 }, () => letters(9)))
  const values = [JSON.stringify(row), 'key', keys, workspaceId, workspaceId]
  const [inserted] = (await client.query<{ generated: string }>({ name: 'insert', text: insertText, values })).rows
  const project = asSent(row, inserted?.generated ?? '', now)
  await client.query({ name: 'event', text: eventText, values: eventValues(project, now) })
  return project
}

const draft = (workspaceId: string, name: string, now: Date) => ({
  id: uuid(),
  workspace_id: workspaceId,
  version: 1,
  created_at: now,
  updated_at: now,
  created_by: actor,
  updated_by: actor,
  deleted_at: null,
  imported: null,
  key: '',
  name,
  description: null,
  status: 'planned',
  health: null,
  priority: 'none',
  owner_id: null,
  company_id: null,
  labels: [],
  start_date: null,
  due_date: null,
  custom_fields: {},
  external_source: null,
  external_id: null,
  completed_at: null,
  archived_at: null,
  other_external_ids: [],
})

type Sent = { readonly id: string; readonly workspaceId: string }

const asSent = ({ id, workspace_id: workspaceId, name }: ReturnType<typeof draft>, key: string, now: Date) => ({
  id,
  object: 'project',
  workspaceId,
  version: 1,
  createdAt: now,
  updatedAt: now,
  createdBy: actor,
  updatedBy: actor,
  deletedAt: null,
  imported: null,
  key,
  name,
  description: null,
  status: 'planned',
  health: null,
  priority: 'none',
  ownerId: null,
  memberIds: [],
  companyId: null,
  labels: [],
  startDate: null,
  dueDate: null,
  customFields: {},
  externalSource: null,
  externalId: null,
  completedAt: null,
  archivedAt: null,
  externalIds: [],
})

/** As it is stored: 25 bytes in hexadecimal digits. */
const trace = '4bf92f3577b34da6a3ce929d0e0e473600f067aa0ba902b700'

function eventValues(project: Sent, now: Date): unknown[] {
  const { id: projectId, workspaceId } = project
  const [eventId, type] = [uuid(), 'projects.created']
  const day = now.toISOString().slice(0, 10)
  const head = { id: eventId, object: 'event', type, workspaceId }
  const resource = { type: 'projects', id: projectId, kind: null, version: 1 }
  const tail = { occurredAt: now, actor, requestId: 'bench', resource, data: project, changes: {} }
  return [
    1,
    now,
    day,
    day,
    workspaceId,
    1,
    workspaceId,
    'bench',
    null,
    trace,
    [eventId],
    [type],
    [projectId],
    [null],
    [projectId],
    [null],
    [''],
    ['{}'],
    [`${JSON.stringify(head).slice(0, -1)},"sequence":`],
    [`,${JSON.stringify(tail).slice(1, -1)}`],
    [now],
    [null],
    workspaceId,
  ]
}

const fields = [
  'id',
  'workspaceId',
  'version',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'deletedAt',
  'imported',
  'key',
  'name',
  'description',
  'status',
  'health',
  'priority',
  'ownerId',
  'companyId',
  'labels',
  'startDate',
  'dueDate',
  'customFields',
  'externalSource',
  'externalId',
  'completedAt',
  'archivedAt',
]
const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const columns = [...fields.map(columnOf), 'other_external_ids'].join(', ')

export const listText = (limit: number): string =>
  `SELECT ${selected(fields)}, external_ids(t.external_source, t.external_id, t.other_external_ids) AS "externalIds",
    ARRAY(SELECT l.member_id FROM project_member l
    WHERE l.workspace_id = t.workspace_id AND l.project_id = t.id ORDER BY l.position) AS "memberIds" ${listedFrom(limit)}`

const selected = (names: readonly string[]): string =>
  names.map((field) => `t.${columnOf(field)} AS "${field}"`).join(', ')

const listedFrom = (
  limit: number,
): string => `FROM project t WHERE t.workspace_id = $1::uuid AND t.deleted_at IS NULL AND t.archived_at IS NULL
  ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit + 1}`

const turnText = `SELECT greatest(date_trunc('milliseconds', clock_timestamp()), last_at + interval '1 millisecond') AS now,
    has_custom_fields AS "hasCustomFields",
    jsonb_build_object('objects', s.objects, 'documentBytes', s.document_bytes, 'fileBytes', s.file_bytes,
      'eventsPerDay', CASE WHEN s.day = (now() AT TIME ZONE 'UTC')::date THEN s.last - s.before_day ELSE 0 END) AS used,
    (SELECT quotas FROM workspace w WHERE w.id = s.workspace_id) AS set
  FROM event_sequence s WHERE workspace_id = $1::uuid FOR UPDATE`

const insertText = `INSERT INTO project (${columns})
  SELECT ${columns} FROM jsonb_populate_record(NULL::project, $1::jsonb || jsonb_build_object($2::text, (
    SELECT candidate FROM unnest($3::text[]) WITH ORDINALITY AS c (candidate, preference)
    WHERE NOT (EXISTS (SELECT FROM project WHERE workspace_id = $4::uuid AND key = candidate)
      OR EXISTS (SELECT FROM project_former_key WHERE workspace_id = $5::uuid AND key = candidate))
    ORDER BY preference LIMIT 1)))
  RETURNING key AS generated`

const eventText = `WITH sequence AS (
    UPDATE event_sequence SET last = last + $1::int, last_at = greatest(last_at, $2),
      before_day = CASE WHEN day = $3::date THEN before_day ELSE last END, day = $4::date
    WHERE workspace_id = $5::uuid RETURNING last - $6::int AS before
  ), written AS (
    INSERT INTO event (workspace_id, id, sequence, type, resource_id, resource_kind, project_id, changed_fields, body,
      occurred_at, request_id, key_id, origin, trace)
    SELECT $7::uuid, e.id, before + position, e.type, resource_id, kind, e.project_id, changed::text[],
           head || (before + position) || tail || coalesce(',"related":{' || nullif(concat_ws(',', nullif(e.related, ''),
  '"project":{"id":"' || p.id || '","key":' || to_json(p.key) || ',"name":' || to_json(p.name) || '}'), '') || '}', '') || '}',
           at, $8, $9::uuid, e.origin, decode($10, 'hex')
    FROM sequence, unnest($11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::uuid[], $16::uuid[], $17::text[],
      $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::text[]) WITH ORDINALITY
      AS e (id, type, resource_id, kind, project_id, related_project_id, related, changed, head, tail, at, origin, position)
    LEFT JOIN project p ON p.workspace_id = $23::uuid AND p.id = e.related_project_id
    RETURNING id, workspace_id, sequence, occurred_at
  )
  INSERT INTO outbox (event_id, workspace_id, sequence, created_at)
  SELECT id, workspace_id, sequence, occurred_at FROM written`

/** Of one new project, in order. */
export const createTexts: readonly string[] = ['BEGIN', turnText, insertText, eventText, 'COMMIT']
