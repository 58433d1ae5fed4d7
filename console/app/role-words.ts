// Names and descriptions of roles, and the roles that a member may assign. The server decides; pages ask so that they
// only offer what is allowed. Pure.
import type { Role } from '#contract/roles.ts'

type Words = { readonly name: string; readonly permissions: string }

export const roleWords: Readonly<Record<Role, Words>> = {
  owner: { name: 'Owner', permissions: 'Has full access and can manage other owners.' },
  admin: {
    name: 'Admin',
    permissions: 'Can create keys, change the key policy, manage members and read the audit log.',
  },
  member: {
    name: 'Member',
    permissions: 'Can manage webhooks, resend deliveries, and view everything except the audit log.',
  },
  viewer: { name: 'Viewer', permissions: 'Can view everything except the audit log. Cannot make changes.' },
}

/** The most powerful first. */
export const roles = Object.keys(roleWords) as Role[]

/** Returns the roles that a member may assign: only owners can make owners. */
export const rolesToGive = (own: Role | undefined): Role[] =>
  roles.filter((role) => role !== 'owner' || own === 'owner')
