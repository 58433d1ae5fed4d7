// Whom the provider has named, and what that is good for here. Pure.
import { AccountEmail } from '#contract/account.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Role } from '#contract/roles.ts'
import { IdentityName } from '#contract/shared-fields.ts'
import { isOf } from '../validation/schema-validator.ts'
import type { OidcConfig } from './settings.ts'

export type Person = {
  readonly subject: string
  /** Verified by the provider, in lower case. */
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** When the provider has asked who is there; null where it does not say. */
  readonly authenticatedAt: Date | null
}
type Claims = Readonly<Record<string, unknown>>
/** What the provider has said of one subject, in the two documents that it says it in. */
export type Documents = {
  readonly idToken: Claims & { readonly sub: string }
  /** Empty where the provider has no such endpoint. */
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
  // When somebody was asked is said of this sign-in, and so by its signed document alone.
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
 * An e-mail counts with what the same document says of it: the verification of one address proves nothing of another. The
 * ID token decides where it says anything of both, else userinfo.
 */
function verifiedEmailOf(idToken: Claims, userInfo: Claims): string {
  const isWhole = (claims: Claims): boolean => [claims['email'], claims['email_verified']].every((each) => each != null)
  const { email, email_verified: isVerified } = isWhole(idToken) ? idToken : userInfo
  if (!isEmail(email) || isVerified !== true)
    throw new Fault('email_not_verified', 'The provider does not say that it has verified your e-mail.')
  return email
}

/** Whether somebody new may come in at all. `invited`: the e-mail of the invitation that they came by. */
export function assertMayBeLinked(
  { email }: Pick<Person, 'email'>,
  invited: string | null,
  { allowedDomains }: Pick<OidcConfig, 'allowedDomains'>,
): void {
  if (invited === email || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))) return
  throw new Fault('email_domain_not_allowed', 'Who has an e-mail of this domain needs an invitation for that e-mail.')
}

/** The most powerful last. */
const order: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** The role that the groups give in each workspace. `onlyWorkspaceId`: null where there is none, or more than one. */
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
