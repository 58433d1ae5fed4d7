// What the service asks of Postgres for a page of projects and for a new one, by hand: the same statements, with nothing
// around them. The texts are those that the service's client sends; names are given as the API spells them, so that a
// row is serialised as it comes.
import type { Pool } from 'pg'
import { v7 as uuid } from 'uuid'
import type { Actor } from '#contract/fields.ts'
import { letters } from '../measure/letters.ts'

const actor: Actor = { type: 'api_key', id: 'bench', name: 'Bench' }

/** As many as the service's pool has. */
export const poolSize = 10

export async function listProjects(pool: Pool, workspaceId: string, limit: number): Promise<object> {
  const { rows } = await pool.query<{ id: string; memberIds?: string[] }>(listSql, [workspaceId, limit + 1, 0])
  const shown = rows.slice(0, limit)
  const members = await pool.query<{ project_id: string; member_id: string }>(membersSql(shown.length), [
    workspaceId,
    ...shown.map(({ id }) => id),
    0,
  ])
  for (const row of shown)
    row.memberIds = members.rows.filter(({ project_id }) => project_id === row.id).map(({ member_id }) => member_id)
  return { data: shown, page: { limit, nextCursor: shown.at(-1)?.id ?? null, hasMore: rows.length > limit } }
}

/** Row, event and outbox marker, in one transaction. */
export async function createProject(pool: Pool, workspaceId: string, name: string): Promise<object> {
  const [id, eventId, now] = [uuid(), uuid(), new Date()]
  const project = {
    id,
    object: 'project',
    workspaceId,
    key: letters(8),
    name,
    status: 'planned',
    priority: 'none',
    labels: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: actor,
    updatedBy: actor,
  }
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(insertSql, [
      workspaceId,
      id,
      project.key,
      name,
      'planned',
      'none',
      [],
      1,
      now,
      now,
      actor,
      actor,
    ])
    await client.query(eventSql, [
      workspaceId,
      eventId,
      'projects.created',
      id,
      [],
      ...bodyAround(eventId, project, now),
      now,
    ])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  return project
}

function bodyAround(
  id: string,
  project: { readonly id: string; readonly workspaceId: string },
  now: Date,
): [string, string] {
  const head = { id, object: 'event', type: 'projects.created', workspaceId: project.workspaceId }
  const resource = { type: 'projects', id: project.id, kind: null, version: 1 }
  const tail = { occurredAt: now, actor, requestId: 'bench', resource, data: project, changes: {} }
  return [`${JSON.stringify(head).slice(0, -1)},"sequence":`, `,${JSON.stringify(tail).slice(1)}`]
}

const columns = `workspace_id AS "workspaceId", id, 'project' AS object, key, name, description, status, health, priority,
  owner_id AS "ownerId", company_id AS "companyId", labels, start_date AS "startDate", due_date AS "dueDate",
  external_source AS "externalSource", external_id AS "externalId", completed_at AS "completedAt", archived_at AS "archivedAt",
  version, created_at AS "createdAt", updated_at AS "updatedAt", created_by AS "createdBy", updated_by AS "updatedBy",
  deleted_at AS "deletedAt"`

const listSql = `SELECT ${columns} FROM project
  WHERE (workspace_id = $1 AND deleted_at IS NULL AND archived_at IS NULL)
  ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`

const membersSql = (projects: number): string =>
  `SELECT workspace_id, project_id, member_id FROM project_member
  WHERE (workspace_id IN ($1) AND project_id IN (${Array.from({ length: projects }, (_, n) => `$${n + 2}`).join(',')}))
  ORDER BY position ASC OFFSET $${projects + 2}`

const insertSql = `INSERT INTO project
  (workspace_id, id, key, name, status, priority, labels, version, created_at, updated_at, created_by, updated_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`

const eventSql = `WITH next AS (
    UPDATE event_sequence SET last = last + 1 WHERE workspace_id = $1::uuid RETURNING last
  ), written AS (
    INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at)
    SELECT $1::uuid, $2::uuid, last, $3, $4::uuid, $5::text[], $6::text || last || $7::text, $8 FROM next
    RETURNING id, workspace_id, occurred_at
  )
  INSERT INTO outbox (event_id, workspace_id, created_at) SELECT id, workspace_id, occurred_at FROM written`
