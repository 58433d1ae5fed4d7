// API keys: events and operations. Keys are made and managed in the workspace settings only.
import { Type } from 'typebox'
import { ApiKey, ApiKeyWithSecret, OverlapHours, writableFields } from './api-key-schema.ts'
import { event, systemEvent } from './event-declaration.ts'
import { ExpectedVersion, Id, closed, optional } from './shared-fields.ts'
import { codeOfRule } from './key-policy.ts'
import { presetNames } from './key-preset.ts'
import { clearable } from './merge-patch.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { tag } from './tag.ts'

export const apiKeysTag = tag('api-keys', 'Keys, which are made in the workspace settings.')

export const apiKeyCreated = event('api-keys.created', ApiKey, 'An API key was made.')
export const apiKeyRotated = event('api-keys.rotated', ApiKey, 'An API key has a new secret.')
export const apiKeyRevoked = event('api-keys.revoked', ApiKey, 'An API key was revoked.')
export const apiKeyRotationDue = systemEvent(
  'api-keys.rotation_due',
  ApiKey,
  'The secret of an API key is older than the policies allow.',
)

const KeyPreset = Type.Enum([...presetNames], {
  description: 'In place of `scopes`: those of this preset. `/docs/scopes` lists them.',
})

export const createApiKey = operation({
  name: 'api-keys.create',
  http: 'POST /api-keys',
  summary: 'Create an API key',
  description:
    'The secret is in this answer and nowhere else. It takes `scopes`, or a `preset` that stands for the scopes of a usual purpose; the key holds them one by one. A key acts in this workspace alone, unless `workspaceIds` names others and the policy of each allows unbound keys. `ownerId` names the member that `me` stands for in its calls. `rateLimit` is a limit of its own, within the plan of the workspace; without it the key has what every key has. `toolNames` says how tools are named over MCP where the client is not to decide.',
  audiences: ['settings'],
  ofOperator: ['workspaceIds'],
  confirmed: true,
  scope: 'api-keys:write',
  input: closed({
    ...clearable(optional(writableFields)),
    name: writableFields.name,
    preset: Type.Optional(KeyPreset),
    workspaceIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true })),
  }),
  output: ApiKeyWithSecret,
  success: 201,
  errors: ['reference_not_found', 'quota_reached'],
  audited: true,
  emits: [apiKeyCreated],
})

export const listApiKeys = operation({
  name: 'api-keys.list',
  http: 'GET /api-keys',
  summary: 'List API keys',
  description: 'Newest first, revoked ones included.',
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed(pageInput),
  output: pageOf(ApiKey),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch'],
})

export const getApiKey = operation({
  name: 'api-keys.get',
  http: 'GET /api-keys/{id}',
  summary: 'Get an API key',
  description: 'Everything about the key but its secret.',
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed({ id: Id }),
  output: ApiKey,
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})

export const updateApiKey = operation({
  name: 'api-keys.update',
  http: 'PATCH /api-keys/{id}',
  summary: 'Change an API key',
  description:
    'Name, owner, scopes, surfaces, names of tools, allowlist, rotation policy, expiry or rate limit. Holds at every gateway at once. A change may break no rule of the workspaces that the key complied with before.',
  audiences: ['settings'],
  confirmed: ['ownerId', 'scopes', 'surfaces', 'ipAllowlist', 'rotationPolicy', 'expiresAt', 'rateLimit'],
  scope: 'api-keys:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...clearable(optional(writableFields)) }),
  output: ApiKey,
  success: 200,
  errors: ['not_found', 'invalid_transition', 'reference_not_found', 'version_mismatch'],
  audited: true,
})

export const rotateApiKey = operation({
  name: 'api-keys.rotate',
  http: 'POST /api-keys/{id}/rotate',
  summary: 'Give an API key a new secret',
  description:
    'The old secret goes on working for `overlapHours`, then never again. Zero ends it at once. A key that its workspaces refuse for anything but the age of its secret is to be changed first.',
  audiences: ['settings'],
  confirmed: true,
  scope: 'api-keys:write',
  input: closed({
    id: Id,
    overlapHours: Type.Optional(OverlapHours),
  }),
  output: ApiKeyWithSecret,
  success: 200,
  errors: ['not_found', 'invalid_transition', ...Object.values(codeOfRule)],
  audited: true,
  emits: [apiKeyRotated],
})

export const revokeApiKey = operation({
  name: 'api-keys.revoke',
  http: 'DELETE /api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'Final, and at every gateway at once. Revoking it again changes nothing.',
  audiences: ['settings'],
  scope: 'api-keys:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'version_mismatch'],
  audited: true,
  emits: [apiKeyRevoked],
})
