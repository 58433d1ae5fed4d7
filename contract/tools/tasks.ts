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
    assigneeId: 'Members, or `me`',
    assigneeIds: 'Members, or `me`',
    crmEntityIds: 'CRM companies, contacts, deals it is about',
    parentTaskId: 'Task',
    blockedByIds: 'Tasks',
    description: 'Markdown',
    position: 'Order among others',
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
        'Tasks by project, assignee, CRM entity, status or due day. Each filter is a list of which any may fit; `!done` is all but `done`; `dueBefore` and `dueAfter` leave out the day itself. Rows have identifier, title, status, assigneeIds, dueDate and version. For words in the text use search.query instead, for totals objects.count. Example, what I am late with: {"assigneeId":["me"],"status":["!done","!cancelled"],"dueBefore":"2026-12-01"}',
    },
    get: {
      title: 'Get a task',
      description:
        'A task with its description, estimate in minutes, blockers and custom fields, by id or identifier. What was said about it: comments.list. Example: {"id":"WEB-42","expand":["assignees"]}',
    },
    create: {
      title: 'Create a task',
      description:
        'Adds a task to a project; it needs `projectId` and `title`, and starts in `backlog`. Returns its identifier. More than three: objects.bulk. Example: {"projectId":"WEB","title":"Order the domain","assigneeIds":["me"],"priority":"high","dueDate":"2026-12-01"}',
    },
    update: {
      title: 'Change a task',
      description:
        'Moves, assigns, dates or rewords a task: fields that you leave out stay, null clears one, and lists are replaced as a whole, so send `assigneeIds` with those who stay. To say why, add comments.create. Several tasks alike: objects.bulk. Example: {"id":"WEB-42","status":"in_progress","assigneeIds":["me"]}',
    },
  },
}

export const taskTools = collectionTools(taskCollection)
