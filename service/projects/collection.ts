// The collection of projects: its columns, filters and references, and what follows from a new key.
import { Project, projectCreated, projectDeleted, projectRestored, projectUpdated } from '#contract/projects.ts'
import { Priority } from '#contract/shared-fields.ts'
import { crmEntities, expandMany, members, expandOne } from '../collection/expand.ts'
import { byDay, byName, ranked } from '../collection/pagination.ts'
import type { Call } from '../execution/call.ts'
import { type Expansion, define } from '../collection/definition.ts'
import {
  arrayHasAll,
  arrayHasAny,
  columnIn,
  linkIn,
  optionalColumnIn,
  planFilters,
  spanFilters,
  unless,
} from '../collection/filters.ts'
import { rekeyBatch } from '../tasks/rekey.ts'
import { releaseKeys, freeKey, assertKeyFree, countTasksByStatus, byKey, keepFormerKey } from './rows.ts'
import { draft, applyPatch, erased } from './rules.ts'
import { customFieldsFor } from '../custom-fields/for-collections.ts'

const taskCounts: Expansion = {
  scope: 'tasks:read',
  load: async ({ db, workspaceId }, shown) => {
    const rows = await countTasksByStatus(
      db,
      workspaceId,
      shown.map(({ id }) => String(id)),
    )
    return ({ id }) =>
      Object.fromEntries(
        rows.filter(({ projectId }) => projectId === id).map(({ status, count }) => [status, Number(count)]),
      )
  },
}

const archiveFilters = spanFilters('archived', 'archivedAt', 'archived_at', 'timestamptz')

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
    'set-external-id': 'projects.set-external-id',
    'remove-external-id': 'projects.remove-external-id',
    batch: 'projects.batch',
    count: 'projects.count',
    history: 'projects.history',
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
    health: optionalColumnIn('health'),
    priority: columnIn('priority'),
    labels: arrayHasAny('labels'),
    labelsAll: arrayHasAll('labels'),
    ownerId: optionalColumnIn('owner_id', 'uuid'),
    memberId: linkIn('project_member', 'project_id', 'member_id'),
    companyId: optionalColumnIn('company_id', 'uuid'),
    ...planFilters,
    ...archiveFilters,
    // A filter on `archivedAt` implies `includeArchived`.
    includeArchived: unless('t.archived_at IS NULL', (input) =>
      Object.keys(archiveFilters).some((name) => input[name] !== undefined),
    ),
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
  customFields: customFieldsFor(() => ['project']),
  draft,
  applyPatch,
  erased,
  afterPurge: releaseKeys,
  resolve,
  afterUpdate: followNewKey,
  generatedOnInsert: { field: 'key', value: freeKey },
})

/** Throws `duplicate` for a key that is taken. A project without a key gets one in the insert itself (`freeKey`). */
async function resolve(next: Project, before: Project | null, call: Call): Promise<Project> {
  if (next.key !== '' && next.key !== before?.key) await assertKeyFree(next, call)
  return next
}

/** So many tasks get the new key in the transaction of the project, the others in the background. */
const tasksAtOnce = 100

/**
 * Called when the project's row is written. A project keeps its former keys: links, messages and commits name tasks by
 * them, and they must never lead to another project's tasks.
 */
async function followNewKey(after: Project, before: Project, call: Call): Promise<void> {
  if (after.key === before.key) return
  const hasTasks = await keepFormerKey(call.db, after, before.key)
  // The items of a batch are a millisecond apart: there is no room for other changes between them.
  if (hasTasks && !call.isSubcall) await rekeyBatch(after.id, tasksAtOnce, call)
}
