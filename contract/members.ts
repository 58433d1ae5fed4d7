// The people of a workspace. The application that they sign in to adds and removes them; integrations read them.
import { Type, type Static } from 'typebox'
import { event } from './event-declaration.ts'
import {
  ExpectedVersion,
  Id,
  Name,
  Timestamp,
  closed,
  nullable,
  optional,
  resourceFields,
  tombstone,
} from './shared-fields.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { MemberRef } from './references.ts'
import { Role } from './roles.ts'
import { tag } from './tag.ts'

export const membersTag = tag('members', 'The people of the workspace.')

export const MemberStatus = Type.Enum(['invited', 'active', 'suspended'])
const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'Kept in lower case. Unique among the members that are not removed.',
})

const writable = { name: Name, email: Email, role: Role, status: MemberStatus }

const LastSeenAt = Type.String({
  format: 'date-time',
  description:
    'Of the last call as somebody who is signed in to the workspace settings, to the minute; null before the first. It goes on without a new version, `updatedAt` or event.',
})

export const Member = closed({ ...resourceFields('member'), ...writable, lastSeenAt: nullable(LastSeenAt) })
export type Member = Static<typeof Member>

export const memberAdded = event('members.added', Member, 'Somebody became a member.')
export const memberUpdated = event('members.updated', Member, 'A member was changed.')
export const memberRemoved = event('members.removed', Member, 'A member was removed.')

export const listMembers = operation({
  name: 'members.list',
  http: 'GET /members',
  summary: 'List members',
  description:
    'Newest first unless sorted otherwise. Removed members come only with `includeDeleted`, as their id, version and time of removal.',
  audiences: ['api', 'settings'],
  scope: 'members:read',
  input: closed({
    ...pageInput,
    sort: Type.Optional(
      Type.Enum(['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name'], { default: '-createdAt' }),
    ),
    role: Type.Optional(Type.Array(Role, { minItems: 1, maxItems: 4, description: 'Any of these.' })),
    status: Type.Optional(Type.Array(MemberStatus, { minItems: 1, maxItems: 3, description: 'Any of these.' })),
    q: Type.Optional(Type.String({ minLength: 2, maxLength: 200, description: 'Part of the name or of the email.' })),
    ids: Type.Optional(Type.Array(MemberRef, { minItems: 1, maxItems: 100, description: 'Any of these.' })),
    createdAfter: Type.Optional(Timestamp),
    createdBefore: Type.Optional(Timestamp),
    updatedAfter: Type.Optional(Timestamp),
    updatedBefore: Type.Optional(Timestamp),
    includeDeleted: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: pageOf(Type.Union([Member, tombstone('member')])),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch'],
})

export const getMember = operation({
  name: 'members.get',
  http: 'GET /members/{id}',
  summary: 'Get a member',
  description: 'A removed one is not found.',
  audiences: ['api', 'settings'],
  scope: 'members:read',
  input: closed({ id: MemberRef }),
  output: Member,
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})

export const addMember = operation({
  name: 'members.add',
  http: 'POST /members',
  summary: 'Add a member',
  description: 'As `member` and `invited`, unless another role or status is given.',
  audiences: ['settings'],
  confirmed: ['role'],
  scope: 'workspaces:write',
  input: closed({
    name: Name,
    email: Email,
    role: Type.Optional(Role),
    status: Type.Optional(Type.Enum(['invited', 'active'])),
  }),
  output: Member,
  success: 201,
  errors: ['duplicate', 'quota_reached'],
  emits: [memberAdded],
  audited: true,
})

export const updateMember = operation({
  name: 'members.update',
  http: 'PATCH /members/{id}',
  summary: 'Change a member',
  description:
    'A JSON Merge Patch. Nobody becomes `invited` again, and a workspace that has an active owner keeps at least one.',
  audiences: ['settings'],
  confirmed: ['role'],
  scope: 'workspaces:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...optional(writable) }),
  output: Member,
  success: 200,
  errors: ['not_found', 'duplicate', 'invalid_transition', 'version_mismatch'],
  emits: [memberUpdated],
  audited: true,
})

export const removeMember = operation({
  name: 'members.remove',
  http: 'DELETE /members/{id}',
  summary: 'Remove a member',
  description:
    'Within seconds tasks, projects and CRM entities that name the member as assignee, member or owner go on without, each with its next version and its event. What the member has done, keys and custom fields go on naming it. The last active owner stays. Removing a member again changes nothing.',
  audiences: ['settings'],
  scope: 'workspaces:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'invalid_transition', 'version_mismatch'],
  emits: [memberRemoved],
  audited: true,
})
