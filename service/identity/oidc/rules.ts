// The person whom the provider has named, and the roles that their groups give. Pure.
import { AccountEmail } from '#contract/account.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Role } from '#contract/roles.ts'
import { IdentityName } from '#contract/shared-fields.ts'
import { isOf } from '../../validation/schema-validator.ts'
import type { OidcConfig } from './settings.ts'

export type Person = {
  readonly subject: string
  /** Verified by the provider, in lower case. */
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** When the provider has authenticated the person; null when it does not say. */
  readonly authenticatedAt: Date | null
}
type Claims = Readonly<Record<string, unknown>>
/** The provider's two documents about one subject. */
export type Documents = {
  readonly idToken: Claims & { readonly sub: string }
  /** Empty when the provider has no such endpoint. */
  readonly userInfo: Claims
}

const groupsMax = 1_000
const isEmail = isOf(AccountEmail)
const isName = isOf(IdentityName)

/** Throws `email_not_verified`. */
export function personFrom({ idToken, userInfo }: Documents, groupsClaim: string): Person {
  const email = verifiedEmailOf(idToken, userInfo)
  const { name, [groupsClaim]: listed } = { ...userInfo, ...idToken }
  const groups = [listed ?? []].flat().filter((each) => typeof each === 'string')
  // The time of authentication is about this sign-in, so only its signed document counts.
  const authTime = idToken['auth_time']
  return {
    subject: idToken.sub,
    email: email.toLowerCase(),
    groups: groups.slice(0, groupsMax),
    name: isName(name) ? name : (email.split('@')[0] ?? email),
    authenticatedAt: typeof authTime === 'number' ? new Date(authTime * 1_000) : null,
  }
}

/**
 * An email and its verification must be in the same document: one document may verify another address. The ID token
 * decides when it has both, else userinfo.
 */
function verifiedEmailOf(idToken: Claims, userInfo: Claims): string {
  const isWhole = (claims: Claims): boolean => [claims['email'], claims['email_verified']].every((each) => each != null)
  const { email, email_verified: isVerified } = isWhole(idToken) ? idToken : userInfo
  if (!isEmail(email) || isVerified !== true)
    throw new Fault('email_not_verified', 'The provider does not say that it has verified your email address.')
  return email
}

/** Throws `email_domain_not_allowed` for a new person. `invited`: the email that another person has vouched for. */
export function assertMayBeLinked(
  { email }: Pick<Person, 'email'>,
  invited: string | null,
  { allowedDomains }: Pick<OidcConfig, 'allowedDomains'>,
): void {
  if (invited === email || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))) return
  throw new Fault('email_domain_not_allowed', 'With an email address of this domain, you need an invitation.')
}

/** The role with the most rights is last. */
const order: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** The role that the groups give in each workspace. `onlyWorkspaceId` is null unless there is exactly one. */
export function rolesByGroups(
  groups: readonly string[],
  { groupRoles }: Pick<OidcConfig, 'groupRoles'>,
  onlyWorkspaceId: string | null,
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>()
  for (const { group, role, workspaceId: named } of groupRoles) {
    const workspaceId = named ?? onlyWorkspaceId
    if (workspaceId === null || !groups.includes(group)) continue
    const before = roles.get(workspaceId)
    if (before === undefined || order.indexOf(role) > order.indexOf(before)) roles.set(workspaceId, role)
  }
  return roles
}

export const noMembership = (): Fault =>
  new Fault('no_membership', 'You are not a member of any workspace, and none of your groups gives you access.')
