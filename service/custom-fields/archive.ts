import type { archiveCustomField, unarchiveCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'
import { countOf, findCustomField, updateCustomFieldRow } from './rows.ts'
import { assertRoom } from './rules.ts'

export const archive: Handler<typeof archiveCustomField> = async ({ id, expectedVersion }, call) => {
  const before = await findCustomField(call.db, call.workspaceId, id)
  if (before.archivedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const after = { ...bumpVersion(before, call), archivedAt: call.now.toISOString() }
  await updateCustomFieldRow(call.db, after)
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
  await updateCustomFieldRow(call.db, after)
  call.audit(after, before)
  return after
}
