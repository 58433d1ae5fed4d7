// What projects have of their own, as a collection.
import { Priority } from '#contract/shared-fields.ts'
import { Project, projectCreated, projectDeleted, projectRestored, projectUpdated } from '#contract/projects.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { define } from '../collection/define.ts'
import { type Expansion } from '../collection/definition.ts'
import { crmEntities, expandMany, members, expandOne } from '../collection/expand-sources.ts'
import { arrayHasAll, arrayHasAny, columnIn, due, linkIn, unless } from '../collection/filters.ts'
import { byDay, byName, ranked } from '../collection/keyset.ts'
import { projectsOfKey } from '../tasks/identifier.ts'
import { draft, applyPatch, erased } from './rules.ts'
import { followNewKey, releaseKeys } from './former-keys.ts'
import { resolve } from './resolve.ts'
import { freeKey } from './unique-key.ts'

const taskCounts: Expansion = {
  scope: 'tasks:read',
  load: async ({ db, workspaceId }, shown) => {
    const ids = shown.map(({ id }) => String(id))
    const rows = await db.$queryRaw<{ projectId: string; status: string; count: bigint }[]>`
      SELECT project_id AS "projectId", status, count(*) AS count FROM task
      WHERE workspace_id = ${workspaceId}::uuid AND project_id = ANY(${ids}::uuid[]) AND deleted_at IS NULL
      GROUP BY project_id, status`
    return ({ id }) =>
      Object.fromEntries(
        rows.filter(({ projectId }) => projectId === id).map(({ status, count }) => [status, Number(count)]),
      )
  },
}

/** Selects the ids of projects that have this key or had it. */
const byKey = (q: string, workspaceId: string): Prisma.Sql | null =>
  /^[a-z]{2,10}$/i.test(q.trim()) ? projectsOfKey(q.trim().toUpperCase(), workspaceId) : null

export const projects = define({
  segment: 'projects',
  operations: {
    list: 'projects.list',
    get: 'projects.get',
    create: 'projects.create',
    update: 'projects.update',
    delete: 'projects.delete',
    restore: 'projects.restore',
    purge: 'projects.purge',
    'get-by-external-id': 'projects.get-by-external-id',
    upsert: 'projects.upsert',
    'delete-by-external-id': 'projects.delete-by-external-id',
    batch: 'projects.batch',
    count: 'projects.count',
  },
  noun: 'project',
  object: 'project',
  table: 'project',
  titleColumn: 'name',
  textColumn: 'description',
  inSearch: { identifier: 't.key', status: 't.status', archived: 't.archived_at IS NOT NULL' },
  commentedAs: 'projectId',
  fields: Project.properties,
  links: [{ field: 'memberIds', table: 'project_member', owner: 'project_id', column: 'member_id', type: 'uuid' }],
  references: [
    { field: 'ownerId', table: 'member' },
    { field: 'memberIds', table: 'member' },
    { field: 'companyId', table: 'crm_entity', condition: `r.kind = 'company'` },
  ],
  filters: {
    status: columnIn('status'),
    health: columnIn('health'),
    priority: columnIn('priority'),
    labels: arrayHasAny('labels'),
    labelsAll: arrayHasAll('labels'),
    ownerId: columnIn('owner_id', 'uuid'),
    memberId: linkIn('project_member', 'project_id', 'member_id'),
    companyId: columnIn('company_id', 'uuid'),
    dueAfter: due('>'),
    dueBefore: due('<'),
    includeArchived: unless('t.archived_at IS NULL'),
  },
  sorts: {
    createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
    updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    name: byName('name'),
    dueDate: byDay('dueDate', 'due_date'),
    priority: ranked('priority', 'priority', Priority.enum),
  },
  expansions: {
    owner: expandOne(members, 'ownerId'),
    members: expandMany(members, 'memberIds'),
    company: expandOne(crmEntities, 'companyId'),
    taskCounts,
  },
  selectIdentified: byKey,
  events: { created: projectCreated, updated: projectUpdated, deleted: projectDeleted, restored: projectRestored },
  customFieldTargets: () => ['project'],
  draft,
  applyPatch,
  erased,
  afterPurge: releaseKeys,
  resolve,
  afterUpdate: followNewKey,
  generatedOnInsert: { field: 'key', value: freeKey },
})
