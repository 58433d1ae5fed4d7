// The tools of tasks.
import { createTask, getTask, listTasks, updateTask } from '../tasks.ts'
import { collectionTools } from './collection-tools.ts'

export const taskTools = collectionTools({
  segment: 'tasks',
  operations: { list: listTasks, get: getTask, create: createTask, update: updateTask },
  filters: ['status', 'projectId', 'assigneeId', 'crmEntityId', 'dueBefore', 'dueAfter'],
  descriptions: {},
  expansions: {
    project: 'projects:read',
    assignees: 'members:read',
    parentTask: 'tasks:read',
    blockedBy: 'tasks:read',
    crmEntities: 'crm-entities:read',
  },
  texts: {
    list: { title: 'List tasks', description: 'tasks by filter.' },
    get: { title: 'Get a task', description: 'One task.' },
    create: { title: 'Create a task', description: 'Makes a task.' },
    update: { title: 'Change a task', description: 'Changes a task.' },
  },
})
