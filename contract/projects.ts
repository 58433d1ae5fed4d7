// Projects: events and operations.
import { Type } from 'typebox'
import { collection, expandable } from './collection/operations.ts'
import { event } from './event-declaration.ts'
import { Name, Priority, closed, nullable, optional } from './shared-fields.ts'
import { operation } from './operation.ts'
import { ProjectRef } from './references.ts'
import {
  allLabelsFilter,
  idFilter,
  memberFilter,
  enumFilter,
  textFilter,
  customFieldFilter,
  dueDateFilters,
} from './filter-parameters.ts'
import { Project, projectHealths, projectStatuses, writableFields } from './project-schema.ts'
import { CrmEntityReference, MemberReference } from './expandable-references.ts'
import { taskUpdated } from './tasks.ts'
import { tag } from './tag.ts'

export const projectsTag = tag('projects', 'Projects, with the comments on them.')

const expansions = {
  owner: nullable(MemberReference),
  members: Type.Array(MemberReference, { maxItems: 100 }),
  company: nullable(CrmEntityReference),
  taskCounts: Type.Record(Type.String({ maxLength: 20 }), Type.Integer({ minimum: 0 }), {
    description: 'Tasks by status.',
  }),
}

export const projectCreated = event('projects.created', Project, 'A project was created.')
export const projectUpdated = event('projects.updated', Project, 'A project was changed.')
export const projectDeleted = event('projects.deleted', Project, 'A project was deleted.')
export const projectRestored = event('projects.restored', Project, 'A deleted project was restored.')
export const projectArchived = event('projects.archived', Project, 'A project was archived.')
export const projectUnarchived = event('projects.unarchived', Project, 'An archived project was taken back.')

export const {
  'projects.list': listProjects,
  'projects.get': getProject,
  'projects.create': createProject,
  'projects.update': updateProject,
  'projects.delete': deleteProject,
  'projects.restore': restoreProject,
  'projects.purge': purgeProject,
  'projects.get-by-external-id': getProjectByExternalId,
  'projects.upsert': upsertProject,
  'projects.delete-by-external-id': deleteProjectByExternalId,
  'projects.batch': batchProjects,
  'projects.count': countProjects,
} = collection({
  segment: 'projects',
  singular: 'project',
  resource: Project,
  reference: ProjectRef,
  expanded: expandable(Project, expansions),
  fields: { ...Project.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: { ...optional(writableFields), name: Name },
  patch: optional(writableFields),
  filters: {
    status: enumFilter(projectStatuses),
    health: enumFilter(projectHealths),
    priority: enumFilter(Priority.enum),
    labels: textFilter(50),
    labelsAll: allLabelsFilter,
    ownerId: memberFilter,
    memberId: memberFilter,
    companyId: idFilter,
    ...dueDateFilters,
    includeArchived: Type.Optional(Type.Boolean({ default: false })),
    customFields: customFieldFilter,
  },
  sorts: ['createdAt', 'updatedAt', 'name', 'dueDate', 'priority'],
  groups: ['status', 'health', 'priority', 'ownerId', 'companyId'],
  events: { created: projectCreated, updated: projectUpdated, deleted: projectDeleted, restored: projectRestored },
  alsoEmits: [taskUpdated],
})

export const archiveProject = operation({
  name: 'projects.archive',
  http: 'POST /projects/{id}/archive',
  summary: 'Archive a project',
  description: 'Takes it out of lists, unless they ask for archived ones. Archiving it again changes nothing.',
  scope: 'projects:write',
  input: closed({ id: ProjectRef }),
  output: Project,
  success: 200,
  errors: ['not_found'],
  emits: [projectArchived],
})

export const unarchiveProject = operation({
  name: 'projects.unarchive',
  http: 'POST /projects/{id}/unarchive',
  summary: 'Take a project out of the archive',
  description: 'Puts it back into lists. On a project that is not archived it changes nothing.',
  scope: 'projects:write',
  input: closed({ id: ProjectRef }),
  output: Project,
  success: 200,
  errors: ['not_found'],
  emits: [projectUnarchived],
})
