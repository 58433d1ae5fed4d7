// Tasks: schema, events, operations, in that order.
import { Type, type Static } from 'typebox'
import { collection, expandable, lifecycle } from './collection/collection.ts'
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

const events = lifecycle('tasks', Task, 'task')
export const { created: taskCreated, updated: taskUpdated, deleted: taskDeleted, restored: taskRestored } = events

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
  one: 'task',
  resource: Task,
  named: IdOrIdentifier,
  shown: expandable(Task, expansions),
  fields: { ...Task.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: { ...optional(writable), projectId: Id, title: Name },
  patch: optional(writable),
  filters,
  sorts: ['createdAt', 'updatedAt', 'title', 'dueDate', 'priority', 'position'],
  groups: ['status', 'priority', 'projectId'],
  events,
})
export const {
  list: listTasks,
  get: getTask,
  create: createTask,
  update: updateTask,
  remove: deleteTask,
  restore: restoreTask,
  purge: purgeTask,
  getByExternalId: getTaskByExternalId,
  upsert: upsertTask,
  removeByExternalId: deleteTaskByExternalId,
  batch: batchTasks,
  count: countTasks,
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
