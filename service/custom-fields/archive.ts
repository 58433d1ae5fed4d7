import type { archiveCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { findCustomField, updateCustomField } from './rows.ts'
import { bumpVersion } from './rules.ts'

export const archive: Handler<typeof archiveCustomField> = async ({ id, expectedVersion }, call) => {
  const { db, workspaceId, actor, now, audit } = call
  const before = await findCustomField(db, workspaceId, id)
  if (before.archivedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const after = { ...bumpVersion(before, actor, now), archivedAt: now.toISOString() }
  await updateCustomField(db, after)
  audit(after, before)
  return null
}
