import { v7 as uuid } from 'uuid'
import { memberAdded, type addMember } from '#contract/members.ts'
import type { Handler } from '../execution/handler.ts'
import { assertNoDuplicate, insertMember } from './rows.ts'
import { draft } from './rules.ts'

export const add: Handler<typeof addMember> = async (input, { db, workspaceId, actor, now, emit }) => {
  const member = draft(input, { id: uuid({ msecs: now.getTime() }), workspaceId, actor, now })
  await assertNoDuplicate(db, member)
  await insertMember(db, member)
  emit(memberAdded, member)
  return member
}
