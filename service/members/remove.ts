import { memberRemoved, type removeMember } from '#contract/members.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { countOtherActiveOwners, findAnyMember, updateMember } from './rows.ts'
import { assertOwnerStays, removed } from './rules.ts'

export const remove: Handler<typeof removeMember> = async ({ id, expectedVersion }, call) => {
  const { db, workspaceId, actor, now, emit, audit } = call
  const before = await findAnyMember(db, workspaceId, id)
  if (before.deletedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const after = removed(before, { actor, now })
  assertOwnerStays(before, after, await countOtherActiveOwners(db, before))
  await updateMember(db, after)
  emit(memberRemoved, after)
  audit(after, before)
  return null
}
