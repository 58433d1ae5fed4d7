// The tools of projects.
import { createProject, getProject, listProjects, updateProject } from '../projects.ts'
import { collectionTools, type CollectionTools } from './collection-tools.ts'

export const projectCollection: CollectionTools = {
  segment: 'projects',
  operations: { list: listProjects, get: getProject, create: createProject, update: updateProject },
  filters: ['status', 'health', 'ownerId', 'companyId', 'dueBefore', 'includeArchived'],
  descriptions: {
    id: 'UUID or key',
    q: 'Words of the name',
    key: '2 to 10 capitals, before the number of its tasks',
    ownerId: 'Member, or `me`',
    memberIds: 'Members',
    companyId: 'CRM company',
    description: 'Markdown',
    customFields: 'Values by key',
  },
  expansions: {
    owner: 'members:read',
    members: 'members:read',
    company: 'crm-entities:read',
    taskCounts: 'tasks:read',
  },
  texts: {
    list: {
      title: 'List projects',
      description:
        'Projects that match all filters, newest first; a filter takes any of its values, or none of those with `!` in front. Returns rows with id, key, status and version, and a cursor. To find one by a name that you half remember, use search.query; for numbers only, objects.count. Example: {"status":["!completed"],"ownerId":["me"],"sort":["dueDate"],"limit":10}',
    },
    get: {
      title: 'Get a project',
      description:
        'One project with its description, dates, members and custom fields. `expand` adds names to ids, and `taskCounts` the number of its tasks by status. Its tasks themselves: tasks.list. Example: {"id":"WEB","expand":["owner","taskCounts"]}',
    },
    create: {
      title: 'Create a project',
      description:
        'Makes a project; only `name` is needed, and it is `planned` unless you say otherwise. Look first with search.query whether it exists. Returns its id, key and version. Example: {"name":"Website relaunch","key":"WEB","ownerId":"me","dueDate":"2027-03-31"}',
    },
    update: {
      title: 'Change a project',
      description:
        'Sets the fields that you give and leaves the others; null empties one, a list replaces the whole list. Many projects at once: objects.bulk. Returns the changed fields and the new version. Example: {"id":"WEB","status":"active","health":"at_risk","expectedVersion":4}',
    },
  },
}

export const projectTools = collectionTools(projectCollection)
