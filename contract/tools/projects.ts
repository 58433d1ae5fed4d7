// The tools of projects.
import { createProject, getProject, listProjects, updateProject } from '../projects.ts'
import { collectionTools } from './collection-tools.ts'

export const projectTools = collectionTools({
  segment: 'projects',
  operations: { list: listProjects, get: getProject, create: createProject, update: updateProject },
  filters: ['status', 'ownerId', 'companyId', 'dueBefore', 'includeArchived'],
  descriptions: {},
  expansions: {
    owner: 'members:read',
    members: 'members:read',
    company: 'crm-entities:read',
    taskCounts: 'tasks:read',
  },
  texts: {
    list: { title: 'List projects', description: 'Projects by filter.' },
    get: { title: 'Get a project', description: 'One project.' },
    create: { title: 'Create a project', description: 'Makes a project.' },
    update: { title: 'Change a project', description: 'Changes a project.' },
  },
})
