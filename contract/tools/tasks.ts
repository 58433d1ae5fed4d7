// The tools of tasks.
import { createTask, getTask, listTasks, updateTask } from '../tasks.ts'
import { collectionTools, type CollectionTools } from './collection-tools.ts'

export const taskCollection: CollectionTools = {
  segment: 'tasks',
  operations: { list: listTasks, get: getTask, create: createTask, update: updateTask },
  filters: ['status', 'priority', 'projectId', 'assigneeId', 'crmEntityId', 'labels', 'dueAfter', 'dueBefore'],
  descriptions: {
    id: 'UUID or identifier',
    q: 'Words of the title',
    projectId: 'UUID or key',
    assigneeId: 'Members by id or email, or `me`',
    assigneeIds: 'Members by id or email, or `me`',
    crmEntityIds: 'Related companies, contacts, deals',
    parentTaskId: 'Task',
    blockedByIds: 'Tasks',
    description: 'Markdown',
    position: 'Sort position',
    customFields: 'Values by key',
  },
  expansions: {
    project: 'projects:read',
    assignees: 'members:read',
    parentTask: 'tasks:read',
    blockedBy: 'tasks:read',
    crmEntities: 'crm-entities:read',
  },
  texts: {
    list: {
      title: 'List tasks',
      description:
        'Lists tasks by project, assignee, CRM entity, status or due date. A filter matches any of its values; `!done` excludes `done`; `none` is an empty field and `any` one that is not; `dueBefore` and `dueAfter` exclude the day itself. Rows have identifier, title, status, assigneeIds, dueDate and version. To search words in the text, use search.query; for totals, objects.count. Example, my overdue tasks: {"assigneeId":["me"],"status":["!done","!cancelled"],"dueBefore":"2026-12-01"}',
    },
    get: {
      title: 'Get a task',
      description:
        'Returns one task, by id or identifier, with its description, estimate in minutes, blockers and custom fields. For its comments, use comments.list. Example: {"id":"WEB-42","expand":["assignees"]}',
    },
    create: {
      title: 'Create a task',
      description:
        'Creates a task in a project. `projectId` and `title` are required; `status` is `backlog` by default. Returns the identifier. For more than three tasks, use objects.bulk. Example: {"projectId":"WEB","title":"Order the domain","assigneeIds":["me"],"priority":"high","dueDate":"2026-12-01"}',
    },
    update: {
      title: 'Update a task',
      description:
        'Updates a task: status, assignees, dates, text or project. Fields that you leave out do not change, null clears a field, a list replaces the whole list, and {"add":[…],"remove":[…]} a part of it. To explain a change, use comments.create. For several tasks, use objects.bulk. Example: {"id":"WEB-42","status":"in_progress","assigneeIds":["me"]}',
    },
  },
}

export const taskTools = collectionTools(taskCollection)
