// An API key as people see it. The secret is shown once, where it was made.
import { Type, type Static } from 'typebox'
import { Actor, Id, Timestamp, Version, closed, identityName, nullable } from './shared-fields.ts'
import { PolicyViolation } from './key-policy.ts'
import { RateLimit } from './rate-limits.ts'
import { scopes } from './scopes.ts'
import { Surface, ToolNames } from './surface.ts'

/** How the secret of every API key begins. */
export const secretLabel = 'wsk'

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
  ipAllowlist: Type.Array(AllowedAddress, { maxItems: 100, uniqueItems: true, description: 'Empty: any address.' }),
  rotationPolicy: nullable(closed({ maxAgeDays: Type.Integer({ minimum: 1, maximum: 365 }) })),
  expiresAt: nullable(Timestamp),
  rateLimit: Type.Union([RateLimit, Type.Null()], {
    description: 'How many calls it may make, within the plan of the workspace; null: as many as every key.',
  }),
}

export const ApiKey = closed({
  id: Id,
  object: Type.Literal('api_key'),
  ...writableFields,
  scopes: Type.Array(Type.String({ maxLength: 80 }), { maxItems: 100 }),
  prefix: Type.String({ maxLength: 20, description: 'The readable start of the secret.' }),
  workspaceId: nullable(Id),
  workspaceIds: Type.Array(Id, { description: 'The workspaces of a key that is bound to none.' }),
  status: Type.Enum(['active', 'rotation_due', 'suspended', 'expired', 'revoked'], {
    description:
      '`suspended`: refused for as long as the member who owns it, or made it where it has no owner, is suspended.',
  }),
  secretCreatedAt: Timestamp,
  rotateBy: nullable(Timestamp),
  policyViolations: Type.Array(PolicyViolation, {
    description: 'Rules of its workspaces that the key breaks, and from when each of them refuses it.',
  }),
  previousSecretExpiresAt: nullable(Timestamp),
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
  secret: Type.String({ maxLength: 80, description: 'Shown in this answer only.' }),
})

export const OverlapHours = Type.Integer({
  minimum: 0,
  maximum: 168,
  default: 24,
  description: 'For how long the old secret goes on working.',
})
