// A task of a project.
import { Type, type Static } from 'typebox'
import {
  accepted,
  shown,
  type References,
  ProjectRef,
  TaskRef,
  CrmEntityReference,
  FileIds,
  filesExpansion,
  MemberReference,
  ProjectReference,
  TaskReference,
} from './references.ts'
import {
  CustomFields,
  DateOnly,
  Description,
  Labels,
  Name,
  Priority,
  Timestamp,
  closed,
  externalIdFields,
  nullable,
  optional,
} from './shared-fields.ts'
import { TaskImport, contentFields } from './imports.ts'
import { collection, expandable } from './collection/operations.ts'
import { event } from './event.ts'
import { operation, tag } from './operation.ts'
import {
  allLabelsFilter,
  crmEntityFilter,
  fileFilter,
  memberFilter,
  months,
  projectFilter,
  taskFilter,
  enumFilter,
  textFilter,
  customFieldFilter,
  planFilters,
} from './collection/parameters.ts'

/** Of a task that is still to be done. */
export const openTaskStatuses = ['backlog', 'todo', 'in_progress', 'blocked'] as const
export const taskStatuses = [...openTaskStatuses, 'done', 'cancelled'] as const
export const TaskStatus = Type.Enum([...taskStatuses])
export type TaskStatus = Static<typeof TaskStatus>

const fieldsNaming = ({ task, project, member, crmEntity }: References) => ({
  projectId: project,
  title: Name,
  description: nullable(Description),
  status: TaskStatus,
  priority: Priority,
  assigneeIds: Type.Array(member, { maxItems: 10, uniqueItems: true }),
  parentTaskId: nullable(task),
  blockedByIds: Type.Array(task, {
    maxItems: 50,
    uniqueItems: true,
    description: 'The tasks that must be done first. They must not form a cycle.',
  }),
  crmEntityIds: Type.Array(crmEntity, { maxItems: 50, uniqueItems: true }),
  fileIds: FileIds,
  labels: Labels,
  startDate: nullable(DateOnly),
  dueDate: nullable(DateOnly),
  estimateMinutes: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  position: Type.Number({
    minimum: -1e15,
    maximum: 1e15,
    description: 'Its position among others; new ones come last.',
  }),
  customFields: CustomFields,
  ...externalIdFields,
})

/** The fields that callers can set. */
export const writableFields = fieldsNaming(accepted)

export const Task = closed({
  ...contentFields('task'),
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Counts within the project.' }),
  identifier: Type.String({
    maxLength: 21,
    description:
      'Key of the project and number, as in WEB-42. It changes if the project gets a new key or the task moves to another project.',
  }),
  ...fieldsNaming(shown),
  completedAt: nullable(Timestamp),
})
export type Task = Static<typeof Task>

export const tasksTag = tag('tasks', 'Tasks of projects, with the comments on them.')

const expansions = {
  project: ProjectReference,
  assignees: Type.Array(MemberReference, { maxItems: 10 }),
  parentTask: nullable(TaskReference),
  blockedBy: Type.Array(TaskReference, { maxItems: 50 }),
  crmEntities: Type.Array(CrmEntityReference, { maxItems: 50 }),
  files: filesExpansion,
}

export const taskCreated = event('tasks.created', Task, 'A task was created.')
export const taskUpdated = event('tasks.updated', Task, 'A task was changed.')
export const taskDeleted = event('tasks.deleted', Task, 'A task was deleted.')
export const taskRestored = event('tasks.restored', Task, 'A deleted task was restored.')

const filters = {
  status: enumFilter(taskStatuses),
  priority: enumFilter(Priority.enum),
  labels: textFilter(50),
  labelsAll: allLabelsFilter,
  projectId: projectFilter,
  assigneeId: memberFilter,
  parentTaskId: taskFilter,
  blockedById: taskFilter,
  crmEntityId: crmEntityFilter,
  fileId: fileFilter,
  ...planFilters,
  customFields: customFieldFilter,
}

const declared = collection({
  segment: 'tasks',
  singular: 'task',
  resource: Task,
  reference: TaskRef,
  expanded: expandable(Task, expansions),
  fields: { ...Task.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: { ...optional(writableFields), projectId: ProjectRef, title: Name },
  patch: optional(writableFields),
  imported: TaskImport,
  filters,
  sorts: ['createdAt', 'updatedAt', 'title', 'dueDate', 'priority', 'position'],
  groups: [
    ...['status', 'priority', 'projectId', 'assigneeId', 'labels', 'parentTaskId', 'crmEntityId'],
    ...months('createdAt', 'updatedAt', 'completedAt', 'startDate', 'dueDate'),
  ],
  sums: ['estimateMinutes'],
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
  'tasks.set-external-id': setTaskExternalId,
  'tasks.remove-external-id': removeTaskExternalId,
  'tasks.batch': batchTasks,
  'tasks.count': countTasks,
  'tasks.history': listTaskChanges,
} = declared

const { projectId: _projectId, ...listInput } = listTasks.input.properties

export const listProjectTasks = operation({
  ...listTasks,
  name: 'projects.list-tasks',
  http: 'GET /projects/{id}/tasks',
  summary: 'List the tasks of a project',
  description: 'The same as the list of tasks with this project as its filter.',
  input: closed({ id: ProjectRef, ...listInput }),
  errors: [...listTasks.errors, 'not_found'],
})
