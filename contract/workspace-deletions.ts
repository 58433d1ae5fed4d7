// A workspace that is deleted for good: scheduled, taken back, removed in the background, and what is left to prove it.
import { Type, type Static } from 'typebox'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { Actor, Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { Workspace, writableFields } from './workspaces.ts'

export const workspaceDeletionsTag = tag(
  'workspace-deletions',
  'Workspaces that are deleted for good, and the certificates of those that are gone.',
)

export const graceDaysMax = 365
export const graceDaysDefault = 30

export const WorkspaceDeletion = closed({
  id: Type.String({ ...Id, description: 'The id of the workspace.' }),
  object: Type.Literal('workspace_deletion'),
  status: Type.Enum(['scheduled', 'on_hold', 'removing', 'removed'], {
    description:
      '`scheduled`: it can be restored. `on_hold`: a legal hold keeps it. `removing`: its data is being removed. `removed`: nothing of it is left, and this is the certificate.',
  }),
  createdAt: Timestamp,
  createdBy: Actor,
  requestId: Type.String({ maxLength: 200, description: 'Of the request that scheduled it.' }),
  removeAfter: Type.String({ ...Timestamp, description: 'Until then it can be taken back.' }),
  startedAt: nullable(Type.String({ ...Timestamp, description: 'When the removal began; null before.' })),
  removedAt: nullable(Type.String({ ...Timestamp, description: 'When all was gone; null before.' })),
  removed: Type.Record(Type.String({ maxLength: 63 }), Type.Integer({ minimum: 0 }), {
    maxProperties: 500,
    description:
      'How many rows have been removed so far, by table. `file_blob` counts the contents of files, `account` the accounts of people who were a member of no other workspace.',
  }),
})
export type WorkspaceDeletion = Static<typeof WorkspaceDeletion>

export const deleteWorkspace = operation({
  name: 'workspaces.delete',
  http: 'DELETE /workspaces/{id}',
  summary: 'Delete a workspace for good',
  description:
    'Suspends the workspace and disables its webhooks at once, and removes all of its data when `graceDays` are over, which cannot be undone. Until then `workspaces.restore` restores it. Export what you want to keep before: a suspended workspace cannot be exported.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:write',
  input: closed({
    id: Id,
    confirm: Type.String({
      ...writableFields.slug,
      description: 'The slug of the workspace, so that it is the right one.',
    }),
    graceDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: graceDaysMax,
        description:
          'For how many days it can be restored. Default: `WORKSPACE_DELETION_GRACE_DAYS` of the installation.',
      }),
    ),
  }),
  output: WorkspaceDeletion,
  success: 202,
  errors: ['not_found', 'invalid_transition', 'legal_hold'],
  audited: true,
})

export const restoreWorkspace = operation({
  name: 'workspaces.restore',
  http: 'POST /workspaces/{id}/restore',
  summary: 'Take back the deletion of a workspace',
  description:
    'The workspace is as it was before its deletion was requested: keys and webhooks that worked then work again. Deliveries that still wait are sent.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:write',
  input: closed({ id: Id }),
  output: Workspace,
  success: 200,
  errors: ['not_found', 'not_deleted', 'invalid_transition'],
  audited: true,
})

export const listWorkspaceDeletions = operation({
  name: 'workspace-deletions.list',
  http: 'GET /workspace-deletions',
  summary: 'List deletions of workspaces',
  description: 'Those that are scheduled or under way, and the certificates of those that are done, oldest first.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:read',
  input: closed(pageInput),
  output: pageOf(WorkspaceDeletion),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getWorkspaceDeletion = operation({
  name: 'workspace-deletions.get',
  http: 'GET /workspace-deletions/{id}',
  summary: 'Get the deletion of a workspace',
  description: 'The progress. Once the workspace is removed, this is the certificate, which stays for good.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:read',
  unversioned: true,
  input: closed({ id: Type.String({ ...Id, description: 'The id of the workspace.' }) }),
  output: WorkspaceDeletion,
  success: 200,
  errors: ['not_found'],
})
