// Roles as people are told of them, and who may give which. The server decides; pages ask so that they offer nothing in
// vain. Pure.
import type { Role } from '#contract/roles.ts'

type Words = { readonly name: string; readonly may: string }

export const roleWords: Readonly<Record<Role, Words>> = {
  owner: { name: 'Owner', may: 'Everything, and decides who else is an owner.' },
  admin: { name: 'Admin', may: 'Makes keys, sets the policy, manages members, reads the audit log.' },
  member: { name: 'Member', may: 'Sees everything but the audit log, sets up webhooks, sends deliveries again.' },
  viewer: { name: 'Viewer', may: 'Sees everything but the audit log, and changes nothing.' },
}

/** The most powerful first. */
export const roles = Object.keys(roleWords) as Role[]

/** The roles that somebody may give: none but an owner makes owners. */
export const rolesToGive = (own: Role | undefined): Role[] =>
  roles.filter((role) => role !== 'owner' || own === 'owner')
