// The settings of the sign-in provider. Without OIDC_ISSUER there is none.
import { Role } from '#contract/roles.ts'
import { providerReturnPage } from '#contract/route-paths.ts'
import { Id } from '#contract/shared-fields.ts'
import { parseAddress } from '#runtime/ip-address.ts'
import { flag, list, text } from '#runtime/settings.ts'
import { isOf } from '../../validation/schema-validator.ts'

/** `workspaceId` is null for the only workspace. */
type GroupRole = { readonly group: string; readonly role: Role; readonly workspaceId: string | null }

/** The provider's settings, checked together. */
export type OidcConfig = {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which uses PKCE alone. */
  readonly clientSecret: string | null
  /** The name on the sign-in button. */
  readonly name: string
  /** In lower case. */
  readonly allowedDomains: readonly string[]
  readonly groupsClaim: string
  readonly groupRoles: readonly GroupRole[]
  /** Signing in with a password is off. */
  readonly isOnly: boolean
  readonly redirectUri: string
}

const issuer = text('OIDC_ISSUER', {
  default: null,
  description:
    'The OpenID Connect provider for sign-in, as its discovery document names it: https, or http on this machine. Needs OIDC_CLIENT_ID and PUBLIC_URL.',
})
const clientSecret = text('OIDC_CLIENT_SECRET', {
  default: null,
  description: 'The secret that the provider issued with OIDC_CLIENT_ID. Omit it for a public client.',
})

export const oidcSettings = {
  oidcIssuer: { ...issuer, parse: issuerOf },
  oidcClientId: text('OIDC_CLIENT_ID', {
    default: null,
    description: 'The client id of this installation at the provider.',
  }),
  oidcClientSecret: { ...clientSecret, hidden: true },
  oidcName: text('OIDC_NAME', {
    default: 'single sign-on',
    description: 'The display name of the provider: “Continue with …”.',
  }),
  oidcAllowedDomains: list('OIDC_ALLOWED_DOMAINS', {
    default: [],
    description:
      'Domains, separated by commas. A person with a verified email in one of them needs no invitation, and is linked to the account with this email.',
    whenEmpty: 'every person needs an invitation',
    item: domainOf,
  }),
  oidcGroupsClaim: text('OIDC_GROUPS_CLAIM', {
    default: 'groups',
    description: 'The claim that lists the groups of a person.',
  }),
  oidcGroupRoles: list('OIDC_GROUP_ROLES', {
    default: [],
    description:
      'The role that people of a group get in a workspace where they are not members yet: `group=role`, or `group=role@<workspace id>` if there are several workspaces, separated by commas.',
    whenEmpty: 'nothing',
    item: groupRoleOf,
  }),
  oidcOnly: flag('OIDC_ONLY', {
    default: false,
    description: 'Disables signing in with a password. The operator token and `cli access reset` keep working.',
  }),
}

type Given = {
  readonly publicUrl: string | null
  readonly oidcIssuer: string | null
  readonly oidcClientId: string | null
  readonly oidcClientSecret: string | null
  readonly oidcName: string
  readonly oidcAllowedDomains: readonly string[]
  readonly oidcGroupsClaim: string
  readonly oidcGroupRoles: readonly GroupRole[]
  readonly oidcOnly: boolean
}

/** Returns a sentence for each contradiction among the settings. */
export function oidcContradictions({ publicUrl, ...given }: Given): string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcAllowedDomains, oidcGroupRoles, oidcOnly } = given
  if (oidcIssuer !== null)
    return [
      ...(oidcClientId === null ? ['OIDC_CLIENT_ID is missing: OIDC_ISSUER needs it.'] : []),
      ...(publicUrl === null ? ['PUBLIC_URL is missing: the provider sends people back there.'] : []),
      ...(publicUrl !== null && !isPrivate(new URL(publicUrl))
        ? ['PUBLIC_URL must begin with https:// for OIDC_ISSUER, except on this machine itself.']
        : []),
    ]
  const without = {
    OIDC_CLIENT_ID: oidcClientId !== null,
    OIDC_CLIENT_SECRET: oidcClientSecret !== null,
    OIDC_ALLOWED_DOMAINS: oidcAllowedDomains.length > 0,
    OIDC_GROUP_ROLES: oidcGroupRoles.length > 0,
    OIDC_ONLY: oidcOnly,
  }
  return Object.entries(without).flatMap(([name, isGiven]) =>
    isGiven ? [`${name} is given without OIDC_ISSUER.`] : [],
  )
}

/** Returns null when no provider is configured. The settings must be without contradictions. */
export function oidcIn({ publicUrl, oidcIssuer, oidcClientId, ...given }: Given): OidcConfig | null {
  if (oidcIssuer === null || oidcClientId === null || publicUrl === null) return null
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: given.oidcClientSecret,
    name: given.oidcName,
    allowedDomains: given.oidcAllowedDomains,
    groupsClaim: given.oidcGroupsClaim,
    groupRoles: given.oidcGroupRoles,
    isOnly: given.oidcOnly,
    redirectUri: publicUrl + providerReturnPage,
  }
}

function issuerOf(given: string): string {
  const parsed = URL.canParse(given) ? new URL(given) : null
  const isPlain = parsed !== null && parsed.search === '' && parsed.hash === '' && parsed.username === ''
  if (parsed === null || !isPlain || !isPrivate(parsed))
    throw new Error('must be an address with https, without a query; http on this machine itself alone')
  return given
}

/** Whether no request to this address leaves the machine unencrypted. */
const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))

const isLoopback = (name: string): boolean =>
  name === 'localhost' || parseAddress(name.replace(/^\[|\]$/g, ''))?.range() === 'loopback'

function domainOf(given: string): string {
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/i.test(given))
    throw new Error(`must list domains such as example.com (${given} is none)`)
  return given.toLowerCase()
}

const isId = isOf(Id)
const isRole = isOf(Role)

/** A group may have a `=` in its name, and no comma. */
function groupRoleOf(given: string): GroupRole {
  const [, group = '', role = '', workspaceId = null] = /^(.+)=([a-z]+)(?:@(.+))?$/.exec(given) ?? []
  if (!isRole(role) || (workspaceId !== null && !isId(workspaceId)))
    throw new Error(
      `must list groups with roles such as staff=member or staff=member@<workspace id> (${given} is none)`,
    )
  return { group, role, workspaceId: workspaceId?.toLowerCase() ?? null }
}
