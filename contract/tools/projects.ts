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
        'Lists the projects that match all filters, newest first. Each filter matches any of its values, and `!` before a value excludes it. Returns rows with id, key, status and version, and a cursor for the next page. If you know only part of a name, use search.query; for counts, objects.count. Example: {"status":["!completed"],"ownerId":["me"],"sort":["dueDate"],"limit":10}',
    },
    get: {
      title: 'Get a project',
      description:
        'Returns one project with its description, dates, members and custom fields. `expand` adds the objects behind ids, and `taskCounts` the number of tasks by status. For the tasks themselves, use tasks.list. Example: {"id":"WEB","expand":["owner","taskCounts"]}',
    },
    create: {
      title: 'Create a project',
      description:
        'Creates a project. Only `name` is required; `status` is `planned` by default. First check with search.query that it does not exist. Returns id, key and version. Example: {"name":"Website relaunch","key":"WEB","ownerId":"me","dueDate":"2027-03-31"}',
    },
    update: {
      title: 'Update a project',
      description:
        'Updates a project. Only the fields that you send change; null clears a field, a list replaces the whole list, and {"add":[…],"remove":[…]} a part of it. For many projects, use objects.bulk. Returns the changed fields and the new version. Example: {"id":"WEB","status":"active","health":"at_risk","expectedVersion":4}',
    },
  },
}

export const projectTools = collectionTools(projectCollection)
