import type { createCustomField, updateCustomField } from '#contract/custom-fields.ts'
import { newId } from '#runtime/new-id.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { assertNoDuplicate, countOf, findCustomField, insertCustomField, updateCustomFieldRow } from './rows.ts'
import { applyPatch, assertRoom, draft } from './rules.ts'

export const create: Handler<typeof createCustomField> = async (input, { db, workspaceId, actor, now, audit }) => {
  const field = draft(input, { id: newId(now), workspaceId, actor, now })
  await assertNoDuplicate(db, field)
  assertRoom(await countOf(db, field))
  await assertRoomFor(db, workspaceId, 'customFields')
  await insertCustomField(db, field)
  audit(field)
  return field
}

export const update: Handler<typeof updateCustomField> = async ({ id, expectedVersion, ...patch }, call) => {
  const { db, workspaceId, audit } = call
  const before = await findCustomField(db, workspaceId, id)
  assertVersion(before, expectedVersion, call)
  const after = applyPatch(before, patch, call)
  if (after === before) return before
  await updateCustomFieldRow(db, after)
  audit(after, before)
  return after
}
