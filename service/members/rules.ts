// The rules of members. Pure: the functions throw a Fault.
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Member, updateMember } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import { bumpVersion, versionFields, type ChangeContext, isUnchanged } from '../execution/system-fields.ts'

type Draft = Pick<Member, 'name' | 'email'> & Partial<Pick<Member, 'role' | 'status'>>
type Patch = Omit<Input<typeof updateMember>, 'id' | 'expectedVersion'>
type Decider = Pick<Principal, 'kind' | 'session'>
type Author = Pick<ChangeContext, 'actor' | 'now'>

export const draft = (given: Draft, origin: ChangeContext): Member => ({
  ...versionFields('member', origin),
  deletedAt: null,
  role: 'member',
  status: 'invited',
  lastSeenAt: null,
  ...given,
  email: given.email.toLowerCase(),
})

/** Returns the member after the patch, or `member` itself when nothing changes. */
export function applyPatch(member: Member, patch: Patch, author: Author): Member {
  if (patch.status !== undefined) assertTransition(member.status, patch.status)
  const next = { ...member, ...patch, email: (patch.email ?? member.email).toLowerCase() }
  return isUnchanged(member, next) ? member : bumpVersion(next, author)
}

export const removed = (member: Member, author: Author): Member => ({
  ...bumpVersion(member, author),
  deletedAt: author.now.toISOString(),
})

/** Keeps at least one active owner, so that someone can decide about the workspace. */
export function assertOwnerStays(before: Member, after: Member, otherActiveOwners: number): void {
  if (!isActiveOwner(before) || isActiveOwner(after) || otherActiveOwners > 0) return
  throw new Fault('invalid_transition', 'A workspace keeps at least one active owner.', {
    hint: 'Make another member an active owner first.',
  })
}

/** Only an owner or the operator may add, change or remove an owner. `before` is undefined for a new member. */
export function assertMayDecide({ kind, session }: Decider, before: Member | undefined, after: Member): void {
  const isAboutOwner = before?.role === 'owner' || after.role === 'owner'
  if (kind !== 'member' || session?.role === 'owner' || !isAboutOwner) return
  throw new Fault('insufficient_scope', 'Only owners make, change or remove owners.', { requiredRoles: ['owner'] })
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
