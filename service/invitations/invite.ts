import { Fault } from '#contract/faults/fault.ts'
import type { createInvitation, getInvitation } from '#contract/invitations.ts'
import { invitationPage } from '#contract/route-paths.ts'
import type { Role } from '#contract/roles.ts'
import { foundByLink } from '../accounts/sign-in-attempts.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { findMember, hasAccount } from '../members/rows.ts'
import { assertMayDecide } from '../members/rules.ts'
import { findInvited, isInvited, putInvitation } from './rows.ts'

export const create: Handler<typeof createInvitation> = async ({ memberId }, call) => {
  const { db, principal, workspaceId, audit } = call
  const member = await findMember(db, workspaceId, memberId)
  // Whoever holds the link can become the member.
  assertMayDecide(principal, member, member)
  if (await hasAccount(db, member)) throw cannotBeInvited('has an account already')
  if (member.status === 'suspended') throw cannotBeInvited('is suspended')
  if (!(await isInvited(db, member))) await assertRoomFor(db, workspaceId, 'invitations')
  const { row, token } = await putInvitation(db, workspaceId, member.id, call)
  const invitation = {
    ...{ id: row.id, object: 'invitation' as const, memberId: member.id },
    expiresAt: row.expiresAt.toISOString(),
  }
  audit({ ...invitation, name: member.name })
  return { ...invitation, token, path: `${invitationPage}#${token}` }
}

export const get: Handler<typeof getInvitation> = async ({ token }, call) => {
  const { member, expiresAt } = await findOpen(token, call)
  const { name, email, role, workspace } = member
  return {
    ...{ object: 'invitation', workspaceName: workspace.name, name, email },
    // The table's checks allow no other values.
    role: role as Role,
    expiresAt: expiresAt.toISOString(),
  }
}

/** Throws `not_found` or `rate_limited`. */
export async function findOpen(token: string, call: Pick<Call, 'db' | 'principal' | 'now'>) {
  const found = await foundByLink(call, () => findInvited(call.db, token, call.now))
  if (found === null) throw isOver()
  return found
}

export const isOver = (): Fault =>
  new Fault('not_found', 'This invitation was used, replaced or ended, or is too old. Ask for another.')

const cannotBeInvited = (why: string): Fault => new Fault('invalid_transition', `This member ${why}.`)
