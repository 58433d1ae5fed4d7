// What tasks have of their own, as a collection.
import { Priority } from '#contract/shared-fields.ts'
import { Task, taskCreated, taskDeleted, taskRestored, taskUpdated } from '#contract/tasks.ts'
import { define } from '../collection/define.ts'
import {
  crmEntities,
  expandMany,
  members,
  expandOne,
  projects,
  tasks as shownTasks,
} from '../collection/expand-sources.ts'
import { arrayHasAll, arrayHasAny, columnIn, due, linkIn } from '../collection/filters.ts'
import { byDay, byName, ranked } from '../collection/keyset.ts'
import { byIdentifier } from './identifier.ts'
import { draft, applyPatch, erased } from './rules.ts'
import { resolve } from './resolve.ts'

/** A task of a deleted project is hidden until the project is restored. */
const ofVisibleProject =
  'EXISTS (SELECT FROM project p WHERE p.workspace_id = r.workspace_id AND p.id = r.project_id AND p.deleted_at IS NULL)'

export const tasks = define({
  segment: 'tasks',
  operations: {
    list: 'tasks.list',
    get: 'tasks.get',
    create: 'tasks.create',
    update: 'tasks.update',
    delete: 'tasks.delete',
    restore: 'tasks.restore',
    purge: 'tasks.purge',
    'get-by-external-id': 'tasks.get-by-external-id',
    upsert: 'tasks.upsert',
    'delete-by-external-id': 'tasks.delete-by-external-id',
    batch: 'tasks.batch',
    count: 'tasks.count',
  },
  noun: 'task',
  object: 'task',
  table: 'task',
  titleColumn: 'title',
  textColumn: 'description',
  inSearch: { identifier: 't.identifier', status: 't.status' },
  commentedAs: 'taskId',
  fields: Task.properties,
  links: [
    { field: 'assigneeIds', table: 'task_assignee', owner: 'task_id', column: 'member_id', type: 'uuid' },
    { field: 'blockedByIds', table: 'task_blocker', owner: 'task_id', column: 'blocked_by_id', type: 'uuid' },
    { field: 'crmEntityIds', table: 'task_crm_entity', owner: 'task_id', column: 'crm_entity_id', type: 'uuid' },
  ],
  hiddenWithProject: true,
  references: [
    { field: 'projectId', table: 'project' },
    { field: 'assigneeIds', table: 'member' },
    { field: 'parentTaskId', table: 'task', condition: ofVisibleProject },
    { field: 'blockedByIds', table: 'task', condition: ofVisibleProject },
    { field: 'crmEntityIds', table: 'crm_entity' },
  ],
  filters: {
    status: columnIn('status'),
    priority: columnIn('priority'),
    labels: arrayHasAny('labels'),
    labelsAll: arrayHasAll('labels'),
    projectId: columnIn('project_id', 'uuid'),
    assigneeId: linkIn('task_assignee', 'task_id', 'member_id'),
    parentTaskId: columnIn('parent_task_id', 'uuid'),
    crmEntityId: linkIn('task_crm_entity', 'task_id', 'crm_entity_id'),
    dueAfter: due('>'),
    dueBefore: due('<'),
  },
  sorts: {
    createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
    updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    title: byName('title'),
    dueDate: byDay('dueDate', 'due_date'),
    priority: ranked('priority', 'priority', Priority.enum),
    position: { field: 'position', sql: 't.position', type: 'float8' },
  },
  expansions: {
    project: expandOne(projects, 'projectId'),
    assignees: expandMany(members, 'assigneeIds'),
    parentTask: expandOne(shownTasks, 'parentTaskId'),
    blockedBy: expandMany(shownTasks, 'blockedByIds'),
    crmEntities: expandMany(crmEntities, 'crmEntityIds'),
  },
  selectIdentified: byIdentifier,
  events: { created: taskCreated, updated: taskUpdated, deleted: taskDeleted, restored: taskRestored },
  customFieldTargets: () => ['task'],
  draft,
  applyPatch,
  erased,
  resolve,
})
