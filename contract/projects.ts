// Projects: schema, events, operations, in that order.
import { Type, type Static } from 'typebox'
import { event } from './event.ts'
import {
  DateOnly,
  Description,
  ExpectedVersion,
  Id,
  Labels,
  Name,
  Timestamp,
  closed,
  nullable,
  optional,
  stored,
} from './fields.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './page.ts'

export const ProjectStatus = Type.Enum(['planned', 'active', 'paused', 'completed', 'cancelled'])
export type ProjectStatus = Static<typeof ProjectStatus>
const Health = Type.Enum(['on_track', 'at_risk', 'off_track'])
const Priority = Type.Enum(['none', 'low', 'medium', 'high', 'urgent'])
const Key = Type.String({ pattern: '^[A-Z]{2,10}$', description: 'Two to ten capitals, unique in the workspace.' })

const writable = {
  key: Key,
  name: Name,
  description: nullable(Description),
  status: ProjectStatus,
  health: nullable(Health),
  priority: Priority,
  ownerId: nullable(Id),
  memberIds: Type.Array(Id, { maxItems: 100, uniqueItems: true }),
  companyId: nullable(Id),
  labels: Labels,
  startDate: nullable(DateOnly),
  dueDate: nullable(DateOnly),
  externalSource: nullable(Type.String({ minLength: 1, maxLength: 40 })),
  externalId: nullable(Type.String({ minLength: 1, maxLength: 200 })),
}

export const Project = closed({
  ...stored('project'),
  ...writable,
  completedAt: nullable(Timestamp),
  archivedAt: nullable(Timestamp),
})
export type Project = Static<typeof Project>

export const projectCreated = event('projects.created', Project, 'A project was created.')
export const projectUpdated = event('projects.updated', Project, 'A project was changed.')
export const projectDeleted = event('projects.deleted', Project, 'A project was deleted.')
export const projectArchived = event('projects.archived', Project, 'A project was archived.')
export const projectUnarchived = event('projects.unarchived', Project, 'An archived project was taken back.')
export const projectRestored = event('projects.restored', Project, 'A deleted project was restored.')

export const listProjects = operation({
  name: 'projects.list',
  http: 'GET /projects',
  summary: 'List projects',
  description: 'Projects of the workspace, newest first unless sorted otherwise. Archived ones only on request.',
  scope: 'projects:read',
  input: closed({
    ...pageInput,
    sort: Type.Optional(
      Type.Enum(['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name'], { default: '-createdAt' }),
    ),
    status: Type.Optional(Type.Array(ProjectStatus, { minItems: 1, maxItems: 5, description: 'Any of these.' })),
    priority: Type.Optional(Type.Array(Priority, { minItems: 1, maxItems: 5, description: 'Any of these.' })),
    ownerId: Type.Optional(Id),
    updatedAfter: Type.Optional(Timestamp),
    updatedBefore: Type.Optional(Timestamp),
    includeArchived: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: pageOf(Project),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch'],
  tool: { destructive: false, idempotent: true },
})

export const getProject = operation({
  name: 'projects.get',
  http: 'GET /projects/{id}',
  summary: 'Get a project',
  description: 'One project by its id.',
  scope: 'projects:read',
  input: closed({ id: Id }),
  output: Project,
  success: 200,
  errors: ['not_found'],
  tool: { destructive: false, idempotent: true },
})

export const createProject = operation({
  name: 'projects.create',
  http: 'POST /projects',
  summary: 'Create a project',
  description: 'Only `name` is required. A `key` is made from the name where none is given.',
  scope: 'projects:write',
  input: closed({ ...optional(writable), name: Name }),
  output: Project,
  success: 201,
  errors: ['duplicate', 'reference_not_found'],
  emits: [projectCreated],
  tool: { destructive: false, idempotent: false },
})

export const updateProject = operation({
  name: 'projects.update',
  http: 'PATCH /projects/{id}',
  summary: 'Change a project',
  description: 'A JSON Merge Patch: fields left out stay, null clears, arrays replace.',
  scope: 'projects:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...optional(writable) }),
  output: Project,
  success: 200,
  errors: ['not_found', 'duplicate', 'invalid_transition', 'reference_not_found', 'version_mismatch'],
  emits: [projectUpdated],
  tool: { destructive: false, idempotent: true },
})

export const deleteProject = operation({
  name: 'projects.delete',
  http: 'DELETE /projects/{id}',
  summary: 'Delete a project',
  description: 'It can be restored for 30 days. Deleting it again changes nothing.',
  scope: 'projects:delete',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'version_mismatch'],
  emits: [projectDeleted],
})

export const restoreProject = operation({
  name: 'projects.restore',
  http: 'POST /projects/{id}/restore',
  summary: 'Restore a deleted project',
  description: 'Brings it back in the state that it had, within 30 days of its deletion.',
  scope: 'projects:write',
  input: closed({ id: Id }),
  output: Project,
  success: 200,
  errors: ['not_found', 'not_deleted', 'purged'],
  emits: [projectRestored],
})

export const archiveProject = operation({
  name: 'projects.archive',
  http: 'POST /projects/{id}/archive',
  summary: 'Archive a project',
  description: 'Takes it out of lists, unless they ask for archived ones. Archiving it again changes nothing.',
  scope: 'projects:write',
  input: closed({ id: Id }),
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
  input: closed({ id: Id }),
  output: Project,
  success: 200,
  errors: ['not_found'],
  emits: [projectUnarchived],
})
