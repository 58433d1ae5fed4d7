// The people of a workspace. The application that they sign in to adds and removes them; integrations read them.
import { Type, type Static, type TSchema } from 'typebox'
import { ApiKey, apiKeyRevoked, apiKeyUpdated } from './api-keys.ts'
import { event } from './event.ts'
import {
  ExpectedVersion,
  Id,
  IdentityName,
  Timestamp,
  closed,
  nullable,
  optional,
  resourceFields,
  tombstone,
  searchText,
} from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { MemberRef } from './references.ts'
import { Role } from './roles.ts'
import { Webhook } from './webhook-schema.ts'

/** Of each kind that is listed before a member is removed. */
export const memberAccessItemsMax = 100

export const membersTag = tag('members', 'The people of the workspace.')

export const MemberStatus = Type.Enum(['invited', 'active', 'suspended'])
const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'Stored in lower case. Unique among the members that are not removed.',
})

const writable = { name: IdentityName, email: Email, role: Role, status: MemberStatus }

const LastSeenAt = Type.String({
  format: 'date-time',
  description:
    'The time of the last request with a session of the workspace settings, to the minute; null before the first. It changes without a new version, `updatedAt` or event.',
})

export const Member = closed({ ...resourceFields('member'), ...writable, lastSeenAt: nullable(LastSeenAt) })
export type Member = Static<typeof Member>

export const memberAdded = event('members.added', Member, 'A member was added.')
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
    q: Type.Optional(searchText('A part of the name or the email.')),
    email: Type.Optional(
      Type.Array(Email, { minItems: 1, maxItems: 100, description: 'Any of these, whole; capitals do not matter.' }),
    ),
    ids: Type.Optional(Type.Array(MemberRef, { minItems: 1, maxItems: 100, description: 'Any of these.' })),
    createdAfter: Type.Optional(Timestamp),
    createdBefore: Type.Optional(Timestamp),
    updatedAfter: Type.Optional(Timestamp),
    updatedBefore: Type.Optional(Timestamp),
    includeDeleted: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: pageOf(Type.Union([Member, tombstone('member')])),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getMember = operation({
  name: 'members.get',
  http: 'GET /members/{id}',
  summary: 'Get a member',
  description: 'A removed member is not found.',
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
  confirmed: true,
  scope: 'workspaces:write',
  input: closed({
    name: IdentityName,
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

/** Whom `keys` or `webhooks` go to where they are transferred. */
const TransferTo = Type.String({
  ...Id,
  description:
    'The active member who receives what is transferred. Required with `transfer`, and allowed only with it.',
})
const ofWebhooks =
  'What happens to the webhooks that `members.access` lists. `pause`: nothing more is sent, and pending deliveries are kept for 72 hours. `delete`: nothing more is sent, and pending deliveries are cancelled. `transfer`: they keep working, granted by `transferTo`. Default `pause`.'
const webhooksDecision = (description: string) =>
  Type.Optional(Type.Enum(['pause', 'delete', 'transfer'], { description }))
const ofRemoval = {
  keys: Type.Optional(
    Type.Enum(['revoke', 'transfer'], {
      description:
        'What happens to the keys that `members.access` lists. `transfer`: they keep working, owned by `transferTo`, with secrets that the member may know. Default `revoke`.',
    }),
  ),
  webhooks: webhooksDecision(ofWebhooks),
  transferTo: Type.Optional(TransferTo),
}
const ofSuspension = {
  keys: Type.Optional(
    Type.Enum(['suspend', 'revoke', 'transfer'], {
      description:
        'With `status: suspended` only: what happens to the keys that `members.access` lists as theirs. `suspend`: they get `api_key_suspended` until the member is active again. `revoke`: for good. `transfer`: they keep working, owned by `transferTo`, with secrets that the member may know. Default `suspend`.',
    }),
  ),
  webhooks: webhooksDecision(`With \`status: suspended\` only. ${ofWebhooks}`),
  transferTo: Type.Optional(TransferTo),
}

export const updateMember = operation({
  name: 'members.update',
  http: 'PATCH /members/{id}',
  summary: 'Change a member',
  description:
    'A JSON Merge Patch. No member can become `invited` again, and a workspace that has an active owner keeps at least one. A member who becomes `suspended` loses all access: `keys` and `webhooks` decide what happens to theirs, and invitations that they created end. Webhooks that were paused stay paused when the member is active again. Another role signs the member out.',
  audiences: ['settings'],
  confirmed: ['email', 'role', 'status', 'keys', 'webhooks', 'transferTo'],
  scope: 'workspaces:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...optional(writable), ...ofSuspension }),
  output: Member,
  success: 200,
  errors: ['not_found', 'duplicate', 'invalid_transition', 'version_mismatch', 'reference_not_found'],
  emits: [memberUpdated, apiKeyUpdated, apiKeyRevoked],
  audited: true,
})

export const removeMember = operation({
  name: 'members.remove',
  http: 'DELETE /members/{id}',
  summary: 'Remove a member',
  description:
    'All access ends: `keys` and `webhooks` decide what happens to theirs, and invitations that they created end. Sandboxes of this workspace in which they are a member get another owner: `transferTo` if it is given, else the one who removes, else the owner who was added first; the member is removed there too, with keys revoked and webhooks paused. `members.access` lists all of it beforehand. Within seconds the member is removed as assignee, member or owner of tasks, projects and CRM entities, each with a new version and an event. History and custom fields still name the member. The last active owner cannot be removed. Removing a member again changes nothing.',
  audiences: ['settings'],
  confirmed: true,
  scope: 'workspaces:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...ofRemoval }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'invalid_transition', 'version_mismatch', 'reference_not_found'],
  emits: [memberRemoved, apiKeyUpdated, apiKeyRevoked],
  audited: true,
})

/** How the keys, webhooks and invitations of a member are listed: the first of them, and how many they are. */
const heldList = <T extends TSchema>(item: T, description: string) =>
  Type.Object(
    { count: Type.Integer({ minimum: 0 }), data: Type.Array(item, { maxItems: memberAccessItemsMax }) },
    { additionalProperties: false, description },
  )

const HeldKey = closed(
  Type.Pick(ApiKey, ['id', 'name', 'prefix', 'ownerId', 'scopes', 'status', 'lastUsedAt', 'createdAt', 'createdBy'])
    .properties,
)
const HeldWebhook = closed(
  Type.Pick(Webhook, ['id', 'name', 'url', 'eventTypes', 'grants', 'status', 'createdAt', 'createdBy']).properties,
)

export const MemberAccess = closed({
  object: Type.Literal('member_access'),
  memberId: Id,
  keys: heldList(
    HeldKey,
    'Keys that they own, and keys without an owner that they created. Revoked and expired keys are left out.',
  ),
  othersKeys: heldList(
    HeldKey,
    'Keys of others that they created and whose first secret, which they have seen, still works. Neither decision changes them; rotate them.',
  ),
  webhooks: heldList(
    HeldWebhook,
    'Webhooks that they or one of their keys created, or whose address or event types they chose. `grants` lists the scopes of each and who granted them.',
  ),
  invitations: heldList(
    closed({ id: Id, memberId: Id, name: IdentityName, createdAt: Timestamp, expiresAt: Timestamp }),
    'Open invitations whose links they have seen. They end with the removal.',
  ),
  sandboxes: heldList(
    closed({ id: Id, name: IdentityName, createdAt: Timestamp }),
    'Sandboxes of this workspace in which they are a member. A removal hands them over; a suspension leaves them as they are.',
  ),
  sessions: Type.Object(
    { count: Type.Integer({ minimum: 0 }) },
    { additionalProperties: false, description: 'Browsers in which they are signed in. They lose access at once.' },
  ),
})
export type MemberAccess = Static<typeof MemberAccess>

export const getMemberAccess = operation({
  name: 'members.access',
  http: 'GET /members/{id}/access',
  summary: 'List the access of a member besides signing in',
  description: `Shows, before a removal or suspension, everything that would keep working. Each list holds the newest ${memberAccessItemsMax}, and \`count\` is the total. It also works for a removed member, to show what is left.`,
  audiences: ['settings'],
  scope: 'workspaces:write',
  input: closed({ id: Id }),
  output: MemberAccess,
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})
