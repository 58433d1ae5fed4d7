// The permissions of members in the workspace settings: one table of roles and scopes. Operations declare their scope,
// so that table and declarations together say who may what. Only owners make or change owners, which no scope says.
import { Type, type Static } from 'typebox'
import { covers, scopes, type Scope } from './scopes.ts'

export const Role = Type.Enum(['owner', 'admin', 'member', 'viewer'])
export type Role = Static<typeof Role>

/** For those who answer for the workspace. */
const logs: ReadonlySet<Scope> = new Set<Scope>(['audit-entries:read', 'requests:read'])
const reads = scopes.filter((scope) => scope.endsWith(':read') && !logs.has(scope))

/** The most powerful first. */
const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  admin: scopes,
  member: [...reads, 'webhooks:write', 'deliveries:replay'],
  viewer: reads,
}

export const scopesOfRole = (role: Role): readonly Scope[] => scopesByRole[role]

export const rolesWith = (scope: Scope): Role[] =>
  (Object.keys(scopesByRole) as Role[]).filter((role) => covers(scopesByRole[role], scope))
