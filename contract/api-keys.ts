// An API key as people see it. The secret is shown once, where it was made.
import { Type, type Static } from 'typebox'
import {
  Actor,
  Id,
  Timestamp,
  Version,
  closed,
  identityName,
  nullable,
  ExpectedVersion,
  optional,
} from './shared-fields.ts'
import { PolicyRule, PolicyViolation, codeOfRule } from './key-policy.ts'
import { RateLimit } from './rate-limits.ts'
import { scopes } from './scopes.ts'
import { Surface, ToolNames } from './surface.ts'
import { event, systemEvent } from './event.ts'
import { presetNames } from './key-preset.ts'
import { clearable } from './json-schema.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

/** How the secrets of API keys begin: those of a sandbox say so. */
export const secretLabels = { workspace: 'wsk', sandbox: 'wsk_test' } as const

const AllowedAddress = Type.String({
  format: 'ip-or-cidr',
  maxLength: 49,
  description: 'An IPv4 or IPv6 address, or a CIDR range.',
})

/** The fields that callers can set. */
export const writableFields = {
  name: identityName(80),
  description: nullable(Type.String({ maxLength: 1_000 })),
  ownerId: nullable(Id),
  scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: 100, uniqueItems: true }),
  surfaces: Type.Array(Surface, { minItems: 1, maxItems: 2, uniqueItems: true }),
  toolNames: ToolNames,
  ipAllowlist: Type.Array(AllowedAddress, {
    maxItems: 100,
    uniqueItems: true,
    description: 'If empty, any address is allowed.',
  }),
  rotationPolicy: nullable(closed({ maxAgeDays: Type.Integer({ minimum: 1, maximum: 365 }) })),
  expiresAt: nullable(Timestamp),
  rateLimit: Type.Union([RateLimit, Type.Null()], {
    description: 'The rate limit of the key, within the plan of the workspace; null means the default limit.',
  }),
}

export const ApiKey = closed({
  id: Id,
  object: Type.Literal('api_key'),
  ...writableFields,
  scopes: Type.Array(Type.String({ maxLength: 80 }), { maxItems: 100 }),
  prefix: Type.String({ maxLength: 20, description: 'The first characters of the secret.' }),
  workspaceId: nullable(Id),
  workspaceIds: Type.Array(Id, { description: 'The workspaces of an unbound key.' }),
  status: Type.Enum(['active', 'rotation_due', 'suspended', 'expired', 'revoked'], {
    description: '`suspended`: denied while its owner, or its creator if it has no owner, is suspended.',
  }),
  secretCreatedAt: Timestamp,
  rotateBy: nullable(Timestamp),
  policyViolations: Type.Array(PolicyViolation, {
    description: 'Rules of its workspaces that the key breaks, and from when each denies it.',
  }),
  previousSecretExpiresAt: nullable(Timestamp),
  previousSecretRequests: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Requests with an earlier secret since the last rotation; null when no earlier secret works.',
    }),
  ),
  previousSecretLastUsedAt: nullable(Timestamp),
  previousSecretLastUsedIp: nullable(Type.String({ maxLength: 64 })),
  lastUsedAt: nullable(Timestamp),
  lastUsedIp: nullable(Type.String({ maxLength: 64 })),
  lastUsedUserAgent: nullable(Type.String({ maxLength: 200 })),
  requests30d: Type.Integer({ minimum: 0 }),
  version: Version,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Actor,
  revokedAt: nullable(Timestamp),
  revokedBy: nullable(Actor),
})
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = closed({
  ...ApiKey.properties,
  secret: Type.String({ maxLength: 80, description: 'Shown only in this response.' }),
})

export const OverlapHours = Type.Integer({
  minimum: 0,
  maximum: 168,
  default: 24,
  description: 'Hours for which the old secret keeps working.',
})

// API keys: events and operations. Keys are made and managed in the workspace settings only.

export const apiKeysTag = tag('api-keys', 'API keys, which are created in the workspace settings.')

export const apiKeyCreated = event('api-keys.created', ApiKey, 'An API key was created.')
export const apiKeyUpdated = event('api-keys.updated', ApiKey, 'An API key was changed.')
export const apiKeyRotated = event('api-keys.rotated', ApiKey, 'An API key was rotated.')
export const apiKeyRevoked = event('api-keys.revoked', ApiKey, 'An API key was revoked.')
export const apiKeyRotationDue = systemEvent(
  'api-keys.rotation_due',
  ApiKey,
  'The secret of an API key is older than the policies allow.',
)

const StoppingKey = closed({
  ...ApiKey.properties,
  stopping: Type.Object(
    { from: Type.String({ ...Timestamp, description: 'When requests are first denied.' }), rule: PolicyRule },
    { additionalProperties: false, description: 'The rule that the key breaks, and from when.' },
  ),
})

const DeniedKey = closed({
  ...ApiKey.properties,
  denied: Type.Object(
    {
      requests: Type.Integer({ minimum: 1, description: 'Within an hour, so far.' }),
      since: Type.String({ ...Timestamp, description: 'When the first of them was counted.' }),
    },
    { additionalProperties: false, description: 'How many requests were denied.' },
  ),
})

export const apiKeyExpiring = systemEvent('api-keys.expiring', ApiKey, 'An API key expires within seven days.')
export const apiKeyStopping = systemEvent(
  'api-keys.stopping',
  StoppingKey,
  'A rule of the key policy, or of the key itself, denies an API key within seven days.',
)
export const apiKeyDenied = systemEvent(
  'api-keys.denied',
  DeniedKey,
  'Many requests of an API key were denied within an hour.',
)

const KeyPreset = Type.Enum([...presetNames], {
  description: 'The preset whose scopes the key gets, instead of `scopes`. `/docs/scopes` lists them.',
})

export const createApiKey = operation({
  name: 'api-keys.create',
  http: 'POST /api-keys',
  summary: 'Create an API key',
  description:
    'The secret is shown only in this response. Send `scopes`, or a `preset` with the scopes of a common purpose; the key stores them one by one. A key acts only in this workspace, unless `workspaceIds` names others and the policy of each allows unbound keys. `ownerId` is the member that `me` stands for in its requests. `rateLimit` is the key’s own limit, within the plan of the workspace; without it the key has the default limit. `toolNames` sets how tools are named over MCP if the client should not decide.',
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
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getApiKey = operation({
  name: 'api-keys.get',
  http: 'GET /api-keys/{id}',
  summary: 'Get an API key',
  description: 'The key without its secret.',
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
    'Changes name, owner, scopes, surfaces, tool names, allowlist, rotation policy, expiry or rate limit. The change takes effect at every gateway at once. A change must not break a workspace rule that the key complied with before.',
  audiences: ['settings'],
  confirmed: ['ownerId', 'scopes', 'surfaces', 'ipAllowlist', 'rotationPolicy', 'expiresAt', 'rateLimit'],
  scope: 'api-keys:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...clearable(optional(writableFields)) }),
  output: ApiKey,
  success: 200,
  errors: ['not_found', 'invalid_transition', 'reference_not_found', 'version_mismatch'],
  audited: true,
  emits: [apiKeyUpdated],
})

export const rotateApiKey = operation({
  name: 'api-keys.rotate',
  http: 'POST /api-keys/{id}/rotate',
  summary: 'Rotate the secret of an API key',
  description:
    'The old secret keeps working for `overlapHours` and then stops. Zero ends it at once. If the workspaces deny the key for a reason other than the age of its secret, change the key first.',
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

export const expirePreviousSecret = operation({
  name: 'api-keys.expire-previous-secret',
  http: 'POST /api-keys/{id}/expire-previous-secret',
  summary: 'Expire the previous secret of an API key',
  description:
    'Ends the overlap of a rotation: every gateway rejects earlier secrets at once, and the current one keeps working. If no earlier secret works, nothing changes. With `expectedVersion`, the request fails if the key was changed or rotated since.',
  audiences: ['settings'],
  scope: 'api-keys:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: ApiKey,
  success: 200,
  errors: ['not_found', 'invalid_transition', 'version_mismatch'],
  audited: true,
  emits: [apiKeyUpdated],
})

export const revokeApiKey = operation({
  name: 'api-keys.revoke',
  http: 'DELETE /api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'Revocation is final and takes effect at every gateway at once. Revoking the key again changes nothing.',
  audiences: ['settings'],
  scope: 'api-keys:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'version_mismatch'],
  audited: true,
  emits: [apiKeyRevoked],
})
