// Tasks: events and operations.
import { Type } from 'typebox'
import { collection, expandable } from './collection/operations.ts'
import { event } from './event-declaration.ts'
import { Name, Priority, closed, nullable, optional } from './shared-fields.ts'
import { operation } from './operation.ts'
import { ProjectRef, TaskRef } from './references.ts'
import {
  allLabelsFilter,
  idFilter,
  memberFilter,
  projectFilter,
  taskFilter,
  enumFilter,
  textFilter,
  customFieldFilter,
  dueDateFilters,
} from './filter-parameters.ts'
import { CrmEntityReference, MemberReference, ProjectReference, TaskReference } from './expandable-references.ts'
import { Task, taskStatuses, writableFields } from './task-schema.ts'
import { tag } from './tag.ts'

export const tasksTag = tag('tasks', 'Tasks of projects, with the comments on them.')

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
  status: enumFilter(taskStatuses),
  priority: enumFilter(Priority.enum),
  labels: textFilter(50),
  labelsAll: allLabelsFilter,
  projectId: projectFilter,
  assigneeId: memberFilter,
  parentTaskId: taskFilter,
  crmEntityId: idFilter,
  ...dueDateFilters,
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

export const listProjectTasks = operation({
  ...listTasks,
  name: 'projects.list-tasks',
  http: 'GET /projects/{id}/tasks',
  summary: 'List the tasks of a project',
  description: 'The same as the list of tasks with this project as its filter.',
  input: closed({ id: ProjectRef, ...listInput }),
  errors: [...listTasks.errors, 'not_found'],
})
