import { memberUpdated, type updateMember } from '#contract/members.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertNoDuplicate, countOtherActiveOwners, findMember, updateMember as write } from './rows.ts'
import { assertOwnerStays, applyPatch } from './rules.ts'

export const update: Handler<typeof updateMember> = async ({ id, expectedVersion, ...patch }, call) => {
  const { db, workspaceId, actor, now, emit } = call
  const before = await findMember(db, workspaceId, id)
  assertVersion(before, expectedVersion, call)
  const after = applyPatch(before, patch, { actor, now })
  if (after === before) return before
  assertOwnerStays(before, after, await countOtherActiveOwners(db, before))
  await assertNoDuplicate(db, after)
  await write(db, after)
  emit(memberUpdated, after, before)
  return after
}
