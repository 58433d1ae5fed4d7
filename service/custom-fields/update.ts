import type { updateCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { findCustomField, updateCustomField as write } from './rows.ts'
import { applyPatch } from './rules.ts'

export const update: Handler<typeof updateCustomField> = async ({ id, expectedVersion, ...patch }, call) => {
  const { db, workspaceId, actor, now, audit } = call
  const before = await findCustomField(db, workspaceId, id)
  assertVersion(before, expectedVersion, call)
  const after = applyPatch(before, patch, { actor, now })
  if (after === before) return before
  await write(db, after)
  audit(after, before)
  return after
}
