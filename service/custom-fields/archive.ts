import type { archiveCustomField, unarchiveCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/call.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { countOf, findCustomField, updateCustomField } from './rows.ts'
import { assertRoom } from './rules.ts'

export const archive: Handler<typeof archiveCustomField> = async ({ id, expectedVersion }, call) => {
  const before = await findCustomField(call.db, call.workspaceId, id)
  if (before.archivedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const after = { ...bumpVersion(before, call), archivedAt: call.now.toISOString() }
  await updateCustomField(call.db, after)
  call.audit(after, before)
  return null
}

export const unarchive: Handler<typeof unarchiveCustomField> = async ({ id }, call) => {
  const before = await findCustomField(call.db, call.workspaceId, id)
  if (before.archivedAt === null) return before
  const { active, all } = await countOf(call.db, before)
  // `all` counts this field's own row, which is there already.
  assertRoom({ active, all: all - 1 })
  await assertRoomFor(call.db, call.workspaceId, 'customFields')
  const after = { ...bumpVersion(before, call), archivedAt: null }
  await updateCustomField(call.db, after)
  call.audit(after, before)
  return after
}
