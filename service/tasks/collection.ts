// The collection of tasks: its columns, filters and references, and a task's number, identifier and position.
import { Priority } from '#contract/shared-fields.ts'
import { Task, taskCreated, taskDeleted, taskRestored, taskUpdated } from '#contract/tasks.ts'
import { define, type Fields } from '../collection/definition.ts'
import {
  crmEntities,
  expandMany,
  expandOne,
  fileReference,
  files,
  members,
  projects,
  tasks as shownTasks,
} from '../collection/expand.ts'
import { byDay, byName, ranked } from '../collection/pagination.ts'
import type { Call } from '../execution/call.ts'
import { projectArchived } from '../faults/shared-faults.ts'
import { arrayHasAll, arrayHasAny, columnIn, linkIn, optionalColumnIn, planFilters } from '../collection/filters.ts'
import {
  byIdentifier,
  keepFormerNumber,
  ofVisibleProject,
  takeGivenNumber,
  takeNumber,
  projectOf,
  type TaskProject,
} from './rows.ts'
import { draft, applyPatch, erased } from './rules.ts'
import { customFieldsFor } from '../custom-fields/for-collections.ts'

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
    'set-external-id': 'tasks.set-external-id',
    'remove-external-id': 'tasks.remove-external-id',
    batch: 'tasks.batch',
    count: 'tasks.count',
    history: 'tasks.history',
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
    { field: 'fileIds', table: 'task_file', owner: 'task_id', column: 'file_id', type: 'uuid' },
  ],
  hiddenWithProject: true,
  references: [
    { field: 'projectId', table: 'project' },
    { field: 'assigneeIds', table: 'member' },
    { field: 'parentTaskId', table: 'task', condition: ofVisibleProject },
    { field: 'blockedByIds', table: 'task', condition: ofVisibleProject },
    { field: 'crmEntityIds', table: 'crm_entity' },
    fileReference,
  ],
  filters: {
    status: columnIn('status'),
    priority: columnIn('priority'),
    labels: arrayHasAny('labels'),
    labelsAll: arrayHasAll('labels'),
    projectId: columnIn('project_id', 'uuid'),
    assigneeId: linkIn('task_assignee', 'task_id', 'member_id'),
    parentTaskId: optionalColumnIn('parent_task_id', 'uuid'),
    blockedById: linkIn('task_blocker', 'task_id', 'blocked_by_id'),
    crmEntityId: linkIn('task_crm_entity', 'task_id', 'crm_entity_id'),
    fileId: linkIn('task_file', 'task_id', 'file_id'),
    ...planFilters,
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
    files: expandMany(files, 'fileIds'),
  },
  selectIdentified: byIdentifier,
  events: { created: taskCreated, updated: taskUpdated, deleted: taskDeleted, restored: taskRestored },
  customFields: customFieldsFor(() => ['task']),
  draft,
  applyPatch,
  erased,
  resolve,
})

/** The gap between the positions of new tasks, so that others can be moved in between. */
const positionStep = 1_024

/** Fills in number, identifier and position from the project. Throws `project_archived` when it is archived. */
async function resolve(next: Task, before: Task | null, { db }: Call, given: Fields): Promise<Task> {
  const stays = before !== null && next.projectId === before.projectId
  const old = before === null ? null : await projectOf(db, before)
  if (old !== null) assertNotArchived(old)
  // The project may have got a new key that this task does not have yet (rekey.ts).
  if (stays && old !== null) return { ...next, identifier: identifierOf(old, next.number) }
  // Only an import gives a new task its number.
  const isNumbered = before === null && next.number > 0
  const project = isNumbered ? await takeGivenNumber(db, next) : await takeNumber(db, next)
  assertNotArchived(project)
  if (before !== null) await keepFormerNumber(db, before)
  const position = before === null && given['position'] === undefined ? project.number * positionStep : next.position
  return { ...next, number: project.number, identifier: identifierOf(project, project.number), position }
}

export const identifierOf = ({ key }: Pick<TaskProject, 'key'>, number: number): string => `${key}-${number}`

function assertNotArchived({ archivedAt }: Pick<TaskProject, 'archivedAt'>): void {
  if (archivedAt === null) return
  throw projectArchived('tasks')
}
