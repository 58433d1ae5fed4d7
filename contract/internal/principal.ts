// Who is calling, as the gateway has found out. It reaches the service in one signed header, which only holders of the
// internal secret can make; the service believes nothing else about the caller.
import { Type, type Static } from 'typebox'
import { Id, closed, nullable, type Actor } from '../shared-fields.ts'

export const principalHeader = 'x-internal-principal'

/** The gateway removes every header that starts with this from what callers send. */
export const internalHeaderPrefix = 'x-internal-'

const identityFields = {
  kind: Type.Enum(['api_key', 'operator', 'gateway']),
  /** Key id; the literal `operator` or `gateway` otherwise. */
  id: Type.String(),
  name: Type.String(),
  workspaceId: nullable(Id),
  scopes: Type.Array(Type.String()),
  surface: Type.Enum(['http', 'mcp', 'settings', 'internal']),
}
/** What is the same for all calls of a key in a workspace. */
export const PrincipalIdentity = closed(identityFields)
export type PrincipalIdentity = Static<typeof PrincipalIdentity>

export const Principal = closed({
  ...identityFields,
  requestId: Type.String(),
  clientAddress: Type.String(),
  userAgent: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  /** What is left of the key's rate limit, for `/me`. */
  quota: nullable(closed({ limit: Type.Integer(), remaining: Type.Integer(), resetSeconds: Type.Integer() })),
})
export type Principal = Static<typeof Principal>

/** How long a header is valid, before and after it was signed: clock skew and the time on the wire are in it. */
export const principalValidMs = 30_000

/** The actor that events and `createdBy` name. */
export const actorOf = (principal: Principal): Actor => ({
  type: principal.kind === 'api_key' ? 'api_key' : 'system',
  id: principal.id,
  name: principal.name,
})
