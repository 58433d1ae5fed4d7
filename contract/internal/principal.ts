// Who is calling, as the gateway has found out. It reaches the service in one signed header, which only holders of the
// internal secret can make; the service believes nothing else about the caller.
import { Type, type Static } from 'typebox'
import { Role } from '../roles.ts'
import { Id, closed, nullable, type Actor } from '../shared-fields.ts'

export const principalHeader = 'x-internal-principal'

/** Of the service's answer: what the call has cost in database time, in whole milliseconds. It goes no further. */
export const databaseTimeHeader = 'x-internal-database-ms'

/** The gateway removes every header that starts with this from what callers send. */
export const internalHeaderPrefix = 'x-internal-'

const identityFields = {
  /** Somebody who is signed in is a `member` in a workspace, an `account` outside of any; a `visitor` is not signed in. */
  kind: Type.Enum(['api_key', 'operator', 'gateway', 'member', 'account', 'visitor']),
  /** Of the key, member or account; else the kind itself. */
  id: Type.String(),
  name: Type.String(),
  workspaceId: nullable(Id),
  scopes: Type.Array(Type.String()),
  surface: Type.Enum(['http', 'mcp', 'settings', 'internal']),
  /** Of a member or an account. `role` is the member's. */
  session: Type.Optional(closed({ id: Id, role: Type.Optional(Role), isConfirmed: Type.Boolean() })),
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
export const actorOf = ({ kind, id, name }: Pick<Principal, 'kind' | 'id' | 'name'>): Actor => ({
  type: kind === 'api_key' ? 'api_key' : kind === 'member' || kind === 'account' ? 'user' : 'system',
  id,
  name,
})
