// Tasks: schema, events, operations, in that order.
import { Type, type Static } from 'typebox'
import { collection, expandable } from './collection/collection.ts'
import { event } from './event-envelope.ts'
import {
  CustomFields,
  DateOnly,
  Description,
  Id,
  Labels,
  Name,
  Priority,
  Timestamp,
  closed,
  external,
  nullable,
  optional,
  stored,
} from './fields.ts'
import { operation } from './operation.ts'
import { allLabels, anyId, anyMember, anyOf, anyText, customFieldFilter, dueRange } from './list-query.ts'
import { CrmEntityReference, MemberReference, ProjectReference, TaskReference } from './references.ts'

const statuses = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const
export const TaskStatus = Type.Enum([...statuses])
export type TaskStatus = Static<typeof TaskStatus>

const writable = {
  projectId: Id,
  title: Name,
  description: nullable(Description),
  status: TaskStatus,
  priority: Priority,
  assigneeIds: Type.Array(Id, { maxItems: 10, uniqueItems: true }),
  parentTaskId: nullable(Id),
  blockedByIds: Type.Array(Id, { maxItems: 50, uniqueItems: true }),
  crmEntityIds: Type.Array(Id, { maxItems: 50, uniqueItems: true }),
  labels: Labels,
  startDate: nullable(DateOnly),
  dueDate: nullable(DateOnly),
  estimateMinutes: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  position: Type.Number({
    minimum: -1e15,
    maximum: 1e15,
    description: 'Where it stands among others; new ones come last.',
  }),
  customFields: CustomFields,
  ...external,
}

export const Task = closed({
  ...stored('task'),
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Counts within the project.' }),
  identifier: Type.String({
    maxLength: 21,
    description:
      'Key of the project and number, as in WEB-42. Another one where the project gets a new key or the task another project.',
  }),
  ...writable,
  completedAt: nullable(Timestamp),
})
export type Task = Static<typeof Task>

/** Identifiers lead on to the task that has borne them. */
const IdOrIdentifier = Type.String({
  format: 'id-or-identifier',
  maxLength: 36,
  description: 'UUID version 7, or an identifier that it has or had, as in WEB-42.',
})

const expansions = {
  project: ProjectReference,
  assignees: Type.Array(MemberReference, { maxItems: 10 }),
  parentTask: nullable(TaskReference),
  blockedBy: Type.Array(TaskReference, { maxItems: 50 }),
  crmEntities: Type.Array(CrmEntityReference, { maxItems: 50 }),
}

export const taskCreated = event('tasks.created', Task, 'A task was created.')
export const taskUpdated = event('tasks.updated', Task, 'A task was changed.')
export const taskDeleted = event('tasks.deleted', Task, 'A task was deleted.')
export const taskRestored = event('tasks.restored', Task, 'A deleted task was restored.')

const filters = {
  status: anyOf(statuses),
  priority: anyOf(Priority.enum),
  labels: anyText(50),
  labelsAll: allLabels,
  projectId: anyId,
  assigneeId: anyMember,
  parentTaskId: anyId,
  crmEntityId: anyId,
  ...dueRange,
  customFields: customFieldFilter,
}

const declared = collection({
  segment: 'tasks',
  singular: 'task',
  resource: Task,
  idToGet: IdOrIdentifier,
  expanded: expandable(Task, expansions),
  fields: { ...Task.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: { ...optional(writable), projectId: Id, title: Name },
  patch: optional(writable),
  filters,
  sorts: ['createdAt', 'updatedAt', 'title', 'dueDate', 'priority', 'position'],
  groups: ['status', 'priority', 'projectId'],
  events: { created: taskCreated, updated: taskUpdated, deleted: taskDeleted, restored: taskRestored },
})
export const {
  'tasks.list': listTasks,
  'tasks.get': getTask,
  'tasks.create': createTask,
  'tasks.update': updateTask,
  'tasks.delete': deleteTask,
  'tasks.restore': restoreTask,
  'tasks.purge': purgeTask,
  'tasks.get-by-external-id': getTaskByExternalId,
  'tasks.upsert': upsertTask,
  'tasks.delete-by-external-id': deleteTaskByExternalId,
  'tasks.batch': batchTasks,
  'tasks.count': countTasks,
} = declared

const { projectId: _projectId, ...listInput } = listTasks.input.properties
const { tool: _tool, ...asListed } = listTasks

export const listProjectTasks = operation({
  ...asListed,
  name: 'projects.list-tasks',
  http: 'GET /projects/{id}/tasks',
  summary: 'List the tasks of a project',
  description: 'The same as the list of tasks with this project as its filter.',
  input: closed({ id: Id, ...listInput }),
  errors: [...listTasks.errors, 'not_found'],
})
