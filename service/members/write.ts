import {
  memberAdded,
  memberRemoved,
  memberUpdated,
  type Member,
  type addMember,
  type removeMember,
  type updateMember,
} from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#runtime/new-id.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { endSessionsOfMember } from '../sessions/rows.ts'
import {
  assertNoDuplicate,
  countOtherActiveOwners,
  findAnyMember,
  findMember,
  insertMember,
  updateMemberRow,
} from './rows.ts'
import { applyPatch, assertMayDecide, assertOwnerStays, draft, removed } from './rules.ts'

export const add: Handler<typeof addMember> = async (input, call) => {
  const { db, principal, workspaceId, actor, now, emit } = call
  const member = draft(input, { id: newId(now), workspaceId, actor, now })
  assertMayDecide(principal, undefined, member)
  await assertNoDuplicate(db, member)
  await assertRoomFor(db, workspaceId, 'members')
  await insertMember(db, member)
  emit(memberAdded, member)
  return member
}

type Change = Omit<Input<typeof updateMember>, 'keys' | 'webhooks' | 'transferTo'>
type Removal = Omit<Input<typeof removeMember>, 'keys' | 'webhooks' | 'transferTo'>

/** The member alone: what they hold is for `service/member-access` to decide. */
export async function update(
  { id, expectedVersion, ...patch }: Change,
  call: Call<typeof memberUpdated>,
): Promise<Member> {
  const { db, principal, workspaceId, emit, audit } = call
  const before = await findMember(db, workspaceId, id)
  assertVersion(before, expectedVersion, call)
  const after = applyPatch(before, patch, call)
  if (after === before) return before
  assertMayDecide(principal, before, after)
  assertOwnerStays(before, after, await countOtherActiveOwners(db, before))
  await assertNoDuplicate(db, after)
  await updateMemberRow(db, after)
  if (after.role !== before.role) await endSessionsOfMember(db, workspaceId, after.id)
  emit(memberUpdated, after, before)
  audit(after, before)
  return after
}

/** Returns false when the member is removed already. Objects that name the member follow in the background. */
export async function remove({ id, expectedVersion }: Removal, call: Call<typeof memberRemoved>): Promise<boolean> {
  const { db, principal, workspaceId, emit, audit } = call
  const before = await findAnyMember(db, workspaceId, id)
  if (before.deletedAt !== null) return false
  assertVersion(before, expectedVersion, call)
  const after = removed(before, call)
  assertMayDecide(principal, before, after)
  assertOwnerStays(before, after, await countOtherActiveOwners(db, before))
  await updateMemberRow(db, after)
  emit(memberRemoved, after)
  audit(after, before)
  return true
}
