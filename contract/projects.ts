// A project.
import { Type, type Static } from 'typebox'
import { accepted, shown, type References, ProjectRef, CrmEntityReference, MemberReference } from './references.ts'
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
import { ProjectImport, contentFields } from './imports.ts'
import { collection, expandable } from './collection/operations.ts'
import { event } from './event.ts'
import { operation, tag } from './operation.ts'
import {
  allLabelsFilter,
  companyFilter,
  memberFilter,
  months,
  enumFilter,
  textFilter,
  customFieldFilter,
  planFilters,
  archiveFilters,
  emptiableEnumFilter,
} from './collection/parameters.ts'
import { taskUpdated } from './tasks.ts'

export const projectStatuses = ['planned', 'active', 'paused', 'completed', 'cancelled'] as const
export const ProjectStatus = Type.Enum([...projectStatuses])
export type ProjectStatus = Static<typeof ProjectStatus>
export const projectHealths = ['on_track', 'at_risk', 'off_track'] as const

const fieldsNaming = ({ member, company }: References) => ({
  key: Type.String({
    pattern: '^[A-Z]{2,10}$',
    description:
      'Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them.',
  }),
  name: Name,
  description: nullable(Description),
  status: ProjectStatus,
  health: nullable(Type.Enum([...projectHealths])),
  priority: Priority,
  ownerId: nullable(member),
  memberIds: Type.Array(member, { maxItems: 100, uniqueItems: true }),
  companyId: nullable(company),
  labels: Labels,
  startDate: nullable(DateOnly),
  dueDate: nullable(DateOnly),
  customFields: CustomFields,
  ...externalIdFields,
})

/** The fields that callers can set. */
export const writableFields = fieldsNaming(accepted)

export const Project = closed({
  ...contentFields('project'),
  ...fieldsNaming(shown),
  completedAt: nullable(Timestamp),
  archivedAt: nullable(Timestamp),
})
export type Project = Static<typeof Project>

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
export const projectUnarchived = event('projects.unarchived', Project, 'A project was unarchived.')

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
  'projects.set-external-id': setProjectExternalId,
  'projects.remove-external-id': removeProjectExternalId,
  'projects.batch': batchProjects,
  'projects.count': countProjects,
  'projects.history': listProjectChanges,
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
  imported: ProjectImport,
  filters: {
    status: enumFilter(projectStatuses),
    health: emptiableEnumFilter(projectHealths),
    priority: enumFilter(Priority.enum),
    labels: textFilter(50),
    labelsAll: allLabelsFilter,
    ownerId: memberFilter,
    memberId: memberFilter,
    companyId: companyFilter,
    ...planFilters,
    ...archiveFilters,
    includeArchived: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Archived ones as well; a filter by `archivedAt` finds them anyway.',
      }),
    ),
    customFields: customFieldFilter,
  },
  sorts: ['createdAt', 'updatedAt', 'name', 'dueDate', 'priority'],
  groups: [
    ...['status', 'health', 'priority', 'ownerId', 'memberId', 'companyId', 'labels'],
    ...months('createdAt', 'updatedAt', 'completedAt', 'archivedAt', 'startDate', 'dueDate'),
  ],
  events: { created: projectCreated, updated: projectUpdated, deleted: projectDeleted, restored: projectRestored },
  alsoEmits: [taskUpdated],
})

export const archiveProject = operation({
  name: 'projects.archive',
  http: 'POST /projects/{id}/archive',
  summary: 'Archive a project',
  description: 'Hides it from lists that do not include archived ones. Archiving it again changes nothing.',
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
  summary: 'Unarchive a project',
  description: 'Shows it in lists again. If the project is not archived, nothing changes.',
  scope: 'projects:write',
  input: closed({ id: ProjectRef }),
  output: Project,
  success: 200,
  errors: ['not_found'],
  emits: [projectUnarchived],
})
