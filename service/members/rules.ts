// What may happen to a member. Pure: takes values, gives values, throws Faults.
import { Fault } from '#contract/fault.ts'
import type { Actor } from '#contract/fields.ts'
import type { Member, updateMember } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import { isUnchanged } from '../execution/changed-fields.ts'

type Draft = Pick<Member, 'name' | 'email'> & Partial<Pick<Member, 'role' | 'status'>>
type Patch = Omit<Input<typeof updateMember>, 'id' | 'expectedVersion'>
type Origin = { readonly id: string; readonly workspaceId: string; readonly actor: Actor; readonly now: Date }

export function draft(given: Draft, { id, workspaceId, actor, now }: Origin): Member {
  const at = now.toISOString()
  return {
    id,
    object: 'member',
    workspaceId,
    version: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: actor,
    updatedBy: actor,
    deletedAt: null,
    role: 'member',
    status: 'invited',
    lastSeenAt: null,
    ...given,
    email: given.email.toLowerCase(),
  }
}

/** The member after the patch; the very same value where nothing would change. */
export function applyPatch(member: Member, patch: Patch, actor: Actor, now: Date): Member {
  if (patch.status !== undefined) assertTransition(member.status, patch.status)
  const revised = { ...member, ...patch, email: (patch.email ?? member.email).toLowerCase() }
  return isUnchanged(member, revised) ? member : bumpVersion(revised, actor, now)
}

export const removed = (member: Member, actor: Actor, now: Date): Member => ({
  ...bumpVersion(member, actor, now),
  deletedAt: now.toISOString(),
})

const bumpVersion = (member: Member, actor: Actor, now: Date): Member => ({
  ...member,
  version: member.version + 1,
  updatedAt: now.toISOString(),
  updatedBy: actor,
})

/** Nobody would be left to decide about the workspace. */
export function assertOwnerStays(before: Member, after: Member, otherActiveOwners: number): void {
  if (!isActiveOwner(before) || isActiveOwner(after) || otherActiveOwners > 0) return
  throw new Fault('invalid_transition', 'A workspace keeps at least one active owner.', {
    hint: 'Make another member an active owner first.',
  })
}

const isActiveOwner = ({ role, status, deletedAt }: Member): boolean =>
  role === 'owner' && status === 'active' && deletedAt === null

export const allowedTransitions = (from: Member['status']): Member['status'][] =>
  (['active', 'suspended'] as const).filter((status) => status !== from)

function assertTransition(from: Member['status'], to: Member['status']): void {
  const allowed = allowedTransitions(from)
  if (from === to || allowed.includes(to)) return
  throw new Fault('invalid_transition', `A member who is ${from} cannot become ${to}.`, { from, to, allowed })
}
